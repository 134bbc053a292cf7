/* SPDX-License-Identifier: MIT */
/* KelvinVoigt.c - a linear spring and a linear damper in parallel. */
#include <pcm/plugin.h>

typedef struct {
    double  stiffness, damping;
    int64_t clip;
} Law;

enum { TOUCH, RELEASE };
enum { N_DEPTH, N_DEPTH_RATE };
static const pcm_partial partials[] = {
    [N_DEPTH] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH},
    [N_DEPTH_RATE] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH_RATE},
};

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double least = law.clip ? 0 : -INFINITY;
    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], spring = law.stiffness * d;
        const double sum = spring + law.damping * dd, push = sum < least ? least : sum;
        const double force = d <= 0 ? 0 : push;
        b->force_n[i] = force;
        if (b->reports) {
            const double depth = pcm_ramp(d);
            b->energy[i] = 0.5 * law.stiffness * depth * depth;
            b->dissipation[i] = (force - law.stiffness * depth) * dd;
            b->event[TOUCH][i] = d;
            b->event[RELEASE][i] = sum;
        }
    }
    if (b->jacobian) {
        double *by_depth = b->jacobian[N_DEPTH], *by_rate = b->jacobian[N_DEPTH_RATE];
        PCM_EACH(b, i) {
            const double on = b->depth[i] > 0 && law.stiffness * b->depth[i] + law.damping * b->depth_rate[i] > least;
            by_depth[i] = on * law.stiffness;
            by_rate[i] = on * law.damping;
        }
    }
}

/* Damping over critical damping. */
PCM_DERIVED(Law, damping_ratio, 0.5 * law->damping / pcm_sqrt(law->stiffness * load->mass));

/* The time from touch to release, times the natural frequency; half a period if unclipped. */
static double duration(const Law *law, double ratio)
{
    const double rest = 1 - ratio * ratio, w = pcm_sqrt(pcm_abs(rest)), twice = 2 * ratio * ratio - 1;
    if (!law->clip)
        return rest > 0 ? 3.141592653589793 / w : INFINITY;
    if (rest > 0)
        return pcm_atan2(2 * ratio * w, twice) / w;
    return rest < 0 ? pcm_log((ratio + w) * (ratio + w)) / w : 2;
}

static double restitution(const void *params, const pcm_load *load)
{
    const double ratio = damping_ratio(params, load);
    return ratio > 0 ? pcm_exp(-ratio * duration(params, ratio)) : ratio == 0 ? 1 : NAN;
}

PCM_DERIVED(Law, contact_time, duration(law, damping_ratio(law, load)) * pcm_sqrt(load->mass / law->stiffness));

/* The largest stable step of semi-implicit Euler. */
static double largest_step(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double ratio = damping_ratio(law, load);
    return 2 * pcm_sqrt(load->mass / law->stiffness) / (pcm_sqrt(1 + ratio * ratio) + ratio);
}

PCM_DERIVED(Law, compression, load->force / law->stiffness);

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "k: force per metre of depth", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "Damping", "N*s/m", 100, "c: force per m/s of approach", .min = 0),
    PCM_SWITCH(Law, clip, "Clip", 1, "it never pulls; false: the damper holds back what leaves, as in the equation"),
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the surfaces touch, or part"},
    {.name = "release", .doc = "they no longer push, still below the surface", .direction = -1},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load", compression},
    {"damping_ratio", "1", "c/(2 sqrt(m k)) with that mass", damping_ratio},
    {"restitution", "1", "of an impact with that mass, at any speed", restitution},
    {"contact_time", "s", "how long that impact lasts", contact_time},
    {"largest_step", "s", "above it semi-implicit Euler steps are unstable", largest_step},
};

PCM_KERNELS(update);
PCM_MODEL(KelvinVoigt, "Linear spring and damper", .params = PCM_TABLE(params),
          .source = "Kelvin and Voigt; its restitution: Schwager and Poeschel, Granular Matter 9 (2007)",
          .equations =
              "fn = max(k d + c d', 0) for d > 0, else 0      d depth, d' depth rate\n"
              "Clip = false leaves out the max: it then pulls before it lets go, and an impact lasts half a\n"
              "period. With z = c/(2 sqrt(m k)), w = sqrt(1 - z^2) an impact returns e = exp(-z T) of its speed:\n"
              "T = pi/w unclipped, T = atan2(2 z w, 2 z^2 - 1)/w clipped. Textbooks print the first for both.\n"
              "Holds for pads and springs, and for impacts of any body as a fit; k is that of one contact, whatever "
              "its shape.\n",
          .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .partials = PCM_TABLE(partials),
          .inputs = PCM_DEPTH | PCM_DEPTH_RATE, .outputs = PCM_ENERGY | PCM_DISSIPATION,
          .flags = PCM_ISOTROPIC | PCM_JUMPS | PCM_PULLS);
