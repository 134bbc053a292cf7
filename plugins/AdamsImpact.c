/* SPDX-License-Identifier: MIT */
/* AdamsImpact.c - the IMPACT function of Adams: a stiffening spring, and a damper that grows with the depth. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, exponent, damping, full;
} Law;

enum { TOUCH_DOWN, RELEASE };
enum { N_DEPTH, N_DEPTH_RATE };
static const pcm_partial partials[] = {
    [N_DEPTH] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH},
    [N_DEPTH_RATE] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH_RATE},
};

static void slopes(const pcm_batch *b, const Law *law)
{
    const double per_full = 1 / law->full;
    PCM_EACH(b, i) {
        const double depth = pcm_ramp(b->depth[i]), dd = b->depth_rate[i], ratio = depth * per_full;
        const double x = ratio > 1 ? 1 : ratio, damping = law->damping * (x * x * (3 - 2 * x));
        const double steep = law->stiffness * pcm_pow(depth, law->exponent - 1);
        const double on = depth * steep + damping * dd > 0 ? 1 : 0;
        b->jacobian[N_DEPTH][i] = on * (law->exponent * steep + 6 * law->damping * per_full * (x - x * x) * dd);
        b->jacobian[N_DEPTH_RATE][i] = on * damping;
    }
}

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_full = 1 / law.full, stored = 1 / (law.exponent + 1);
    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], depth = pcm_ramp(d);
        const double ratio = depth * per_full, x = ratio > 1 ? 1 : ratio;
        const double damping = law.damping * (x * x * (3 - 2 * x)),
                     spring = law.stiffness * pcm_pow(depth, law.exponent);
        const double fn = pcm_ramp(spring + damping * dd);
        b->force_n[i] = fn;
        b->elastic_n[i] = spring;
        b->adhesive_n[i] = 0;
        b->pull_off[i] = 0;
        if (b->reports) {
            /* When the surfaces part faster than the spring can follow, its energy goes into its own damper. */
            b->energy[i] = stored * depth * spring;
            b->dissipation[i] = fn > 0 ? damping * dd * dd : -spring * dd;
            b->event[TOUCH_DOWN][i] = b->event[RELEASE][i] = d;
        }
    }
    if (b->jacobian)
        slopes(b, &law);
}

PCM_DERIVED(Law, compression, pcm_pow(load->force / law->stiffness, 1 / law->exponent));
PCM_DERIVED(Law, stiffness_at, law->exponent * load->force / compression(law, load));

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m^Exponent", 1e8, "k: force at a depth of 1 m", PCM_ABOVE(0)),
    PCM_REAL(Law, exponent, "Exponent", "1", 2.2, "e: of the depth; Adams wants it above 1", .min = 1, .max = 10,
             .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, damping, "MaxDamping", "N*s/m", 200, "cmax: damping at full depth", .min = 0),
    PCM_REAL(Law, full, "PenetrationForFullDamping", "m", 1e-4, "dmax: depth from which damping is full", PCM_ABOVE(0)),
};

static const pcm_event events[] = {
    {.name = "touch-down", .doc = "the surfaces meet", .direction = 1},
    {.name = "release", .doc = "the surfaces part", .direction = -1},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load, on one point", compression},
    {"stiffness", "N/m", "slope of the force over the depth there: e F/d", stiffness_at},
};

PCM_KERNELS(update);
PCM_MODEL(
    AdamsImpact, "IMPACT of Adams: a spring that stiffens, a damper that sets in with the depth",
    .flags = PCM_ISOTROPIC, .source = "MSC Adams, functions IMPACT and STEP",
    .equations =
        "fn = max(k d^e + STEP(d; 0, 0; dmax, cmax) d', 0) for d > 0, else 0     d depth, d' depth rate\n"
        "STEP = cmax x^2 (3 - 2 x),  x = min(d/dmax, 1)\n"
        "A stiff k needs dmax well below the compression under the load, or damping never gets full.\n"
        "Holds for points of stops and limits: k, e and dmax are fitted to a pair of bodies and a range of speeds.\n",
    .params = PCM_TABLE(params), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
    .partials = PCM_TABLE(partials), .inputs = PCM_DEPTH | PCM_DEPTH_RATE,
    .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_SHARES);
