/* SPDX-License-Identifier: MIT */
/* LudingHysteresis.c - grains that yield; loading, unloading and adhesion follow straight lines. */
#include <pcm/plugin.h>

typedef struct {
    double loading, unloading, adhesion;
    double left;     /* the share of the greatest depth at which the unloading line crosses zero */
    double returned; /* share of an impact's energy: the area under that line, less the adhesive triangle */
} Law;

enum { DEEPEST };
enum { TOUCH, YIELD };

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double back = law.left > 0 ? (law.unloading + law.adhesion) / (law.unloading * law.left) : 0;
    const double per_unloading = 0.5 / law.unloading;
    double      *next = b->next[DEEPEST];
    PCM_EACH(b, i) {
        const double dd = b->depth_rate[i], depth = pcm_ramp(b->depth[i]), before = b->state[DEEPEST][i];
        const double most = depth > before ? depth : before;
        const double line = law.unloading * (depth - law.left * most), pull = -law.adhesion * depth;
        const double force = line < pull ? pull : line, held = line < pull ? back * depth : most;
        b->force_n[i] = force;
        next[i] = held;
        if (b->reports) {
            const double loads = depth > before && dd > 0 ? law.left * law.loading * depth * dd : 0;
            const double tears = law.adhesion * (1 + law.adhesion / law.unloading) * depth * pcm_ramp(-dd);
            b->energy[i] = force * force * per_unloading;
            b->dissipation[i] = line < pull ? tears : loads;
            b->event[TOUCH][i] = b->depth[i];
            b->event[YIELD][i] = depth - before;
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law         *law = params;
    const double k = law->unloading, kc = law->adhesion;
    law->left = 1 - law->loading / k;
    law->returned = law->loading / k - kc * k / ((k + kc) * law->loading) * law->left * law->left;
    if (k >= law->loading)
        return 0;
    setup->report(setup, "UnloadingStiffness", "must not be below LoadingStiffness");
    return 1;
}

PCM_DERIVED(Law, restitution, pcm_sqrt(pcm_ramp(law->returned)));
PCM_DERIVED(Law, impact_depth, pcm_sqrt(load->mass / law->loading) * load->speed);
PCM_DERIVED(Law, largest_step, 2 * pcm_sqrt(load->mass / law->unloading));

static const pcm_param params[] = {
    PCM_REAL(Law, loading, "LoadingStiffness", "N/m", 1e5, "k1", PCM_ABOVE(0)),
    PCM_REAL(Law, unloading, "UnloadingStiffness", "N/m", 5e5, "k2: at least k1", PCM_ABOVE(0)),
    PCM_REAL(Law, adhesion, "AdhesionStiffness", "N/m", 2e4, "kc: the most that it pulls, per depth", .min = 0),
};

static const pcm_state states[] = {
    {"deepest", "m", "greatest depth that its dent is worth", 1e-5, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the grains touch, or part"},
    {.name = "yield", .doc = "they are deeper than ever, or no longer", .direction = 0},
};

static const pcm_derived derived[] = {
    {"restitution", "1", "of an impact at any speed and mass; 0: it sticks", restitution},
    {"impact_depth", "m", "greatest depth of an impact with that speed and mass", impact_depth},
    {"largest_step", "s", "2/omega of that mass: explicit steps above it are unstable", largest_step},
};

PCM_KERNELS(update);
PCM_MODEL(LudingHysteresis, "Plastic grains of straight lines, with adhesion", .params = PCM_TABLE(params),
          .source = "Luding, Granular Matter 10 (2008), with one unloading stiffness",
          .equations =
              "fn = k1 d                  deeper than ever before\n"
              "fn = k2 (d - d0)           else, d0 = (1 - k1/k2) dm, dm the greatest depth\n"
              "fn = -kc d                 where that is more; dm then shrinks so that both lines meet here\n"
              "A dent without adhesion (kc = 0) returns sqrt(k1/k2) of every impact's speed. Luding's k2 grows\n"
              "with dm up to a limit; here it is that limit. The dent is forgotten when the grains part.\n"
              "Holds for points of contact of soft or plastic grains in slow flow: its lines are fits, and not of a "
              "material.\n",
          .states = PCM_TABLE(states), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = PCM_DEPTH | PCM_DEPTH_RATE, .outputs = PCM_ENERGY | PCM_DISSIPATION,
          .flags = PCM_ISOTROPIC | PCM_PULLS, .prepare = prepare);
