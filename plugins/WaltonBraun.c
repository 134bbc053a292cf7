/* SPDX-License-Identifier: MIT */
/* WaltonBraun.c - grains that yield; loading and steeper unloading follow straight lines. */
#include <pcm/plugin.h>

typedef struct {
    double loading, unloading, hardening;
} Law;

enum { DEEPEST };
enum { TOUCH, YIELD };

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    double   *next = b->next[DEEPEST];
    PCM_EACH(b, i) {
        const double dd = b->depth_rate[i], depth = pcm_ramp(b->depth[i]), before = b->state[DEEPEST][i];
        const double most = depth > before ? depth : before, load = law.loading * most;
        const double steep = law.unloading + law.hardening * load;
        const double force = pcm_ramp(steep * (depth - most) + load);
        b->force_n[i] = force;
        next[i] = most;
        if (b->reports) {
            const double soft = law.loading / steep, work = load * dd;
            const double lost = work * (1 - soft + 0.5 * soft * soft * law.hardening * depth);
            b->energy[i] = 0.5 * force * force / steep;
            b->dissipation[i] = depth > before && dd > 0 ? lost : 0;
            b->event[TOUCH][i] = b->depth[i];
            b->event[YIELD][i] = depth - before;
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    const Law *law = params;
    if (law->unloading >= law->loading)
        return 0;
    setup->report(setup, "UnloadingStiffness", "must not be below LoadingStiffness");
    return 1;
}

static double restitution(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double force = law->hardening > 0 ? load->speed * pcm_sqrt(load->mass * law->loading) : 0;
    return pcm_sqrt(law->loading / (law->unloading + law->hardening * force));
}

PCM_DERIVED(Law, impact_depth, pcm_sqrt(load->mass / law->loading) * load->speed);

/* A quarter of a period on each line. */
PCM_DERIVED(Law, contact_time,
            0.5 * 3.141592653589793 * pcm_sqrt(load->mass / law->loading) * (1 + restitution(law, load)));
PCM_DERIVED(Law, largest_step, 2 * pcm_sqrt(load->mass / law->loading) * restitution(law, load));

static const pcm_param params[] = {
    PCM_REAL(Law, loading, "LoadingStiffness", "N/m", 1e5, "K1", PCM_ABOVE(0)),
    PCM_REAL(Law, unloading, "UnloadingStiffness", "N/m", 2e5, "K2 after the lightest load: at least K1", PCM_ABOVE(0)),
    PCM_REAL(Law, hardening, "Hardening", "1/m", 0, "S: K2 grows by S times the greatest force", .min = 0),
};

static const pcm_state states[] = {
    {"deepest", "m", "greatest depth so far", 1e-5, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the grains touch, or part"},
    {.name = "yield", .doc = "they are deeper than ever, or no longer"},
};

static const pcm_derived derived[] = {
    {"restitution", "1", "of an impact; with Hardening with that speed and mass", restitution},
    {"impact_depth", "m", "greatest depth of an impact with that speed and mass", impact_depth},
    {"contact_time", "s", "how long that impact lasts", contact_time},
    {"largest_step", "s", "2/omega of that mass while unloading: explicit steps above it are unstable", largest_step},
};

PCM_KERNELS(update);
PCM_MODEL(
    WaltonBraun, "Plastic grains of straight lines", .params = PCM_TABLE(params),
    .source = "Walton and Braun, J. Rheology 30 (1986)",
    .equations =
        "fn = K1 d                     deeper than ever before\n"
        "fn = max(K2 (d - d0), 0)      else, on the line through K1 dm at the greatest depth dm\n"
        "K2 constant (S = 0): an impact returns sqrt(K1/K2) of its speed. K2 + S K1 dm with K2 = K1: it\n"
        "returns sqrt(w/(w + S v)), w = sqrt(K1/m), m the reduced mass; the paper writes w = sqrt(2 K1/m)\n"
        "with the mass of one of two equal spheres. The dent is forgotten when the grains part.\n"
        "Holds for points of contact of plastic grains without adhesion: its lines are fits, and not of a material.\n",
    .states = PCM_TABLE(states), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
    .inputs = PCM_DEPTH | PCM_DEPTH_RATE, .outputs = PCM_ENERGY | PCM_DISSIPATION, .flags = PCM_ISOTROPIC,
    .prepare = prepare);
