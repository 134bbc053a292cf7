/* SPDX-License-Identifier: MIT */
/* HuntCrossley.c - a nonlinear spring whose damping grows with its force. */
#include "rebound.h"

typedef struct {
    double stiffness, exponent, dissipation;
} Law;

enum { TOUCH, RELEASE };
enum { N_DEPTH, N_DEPTH_RATE };
static const pcm_partial partials[] = {
    [N_DEPTH] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH},
    [N_DEPTH_RATE] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH_RATE},
};

static void slopes(const pcm_batch *b, const Law *law)
{
    PCM_EACH(b, i) {
        const double depth = pcm_ramp(b->depth[i]), grow = 1 + 1.5 * law->dissipation * b->depth_rate[i];
        const double steep = law->exponent * law->stiffness * pcm_pow(depth, law->exponent - 1);
        const double slope = depth > 0 ? steep : 0, on = grow > 0 ? 1 : 0;
        b->jacobian[N_DEPTH][i] = slope * pcm_ramp(grow);
        b->jacobian[N_DEPTH_RATE][i] = on * 1.5 * law->dissipation * law->stiffness * pcm_pow(depth, law->exponent);
    }
}

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_exponent = 1 / (law.exponent + 1);
    PCM_EACH(b, i) {
        const double dd = b->depth_rate[i], depth = pcm_ramp(b->depth[i]);
        const double spring = law.stiffness * pcm_pow(depth, law.exponent), grow = 1 + 1.5 * law.dissipation * dd;
        const double force = spring * pcm_ramp(grow);
        b->force_n[i] = force;
        if (b->reports) {
            b->energy[i] = spring * depth * per_exponent;
            b->dissipation[i] = (force - spring) * dd;
            b->event[TOUCH][i] = b->depth[i];
            b->event[RELEASE][i] = grow;
        }
    }
    if (b->jacobian)
        slopes(b, &law);
}

PCM_DERIVED(Law, compression, pcm_pow(load->force / law->stiffness, 1 / law->exponent));
PCM_DERIVED(Law, restitution, rebound(1.5 * law->dissipation * load->speed));

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m^Exponent", 1e8, "k: force at a depth of 1 m", PCM_ABOVE(0)),
    PCM_REAL(Law, exponent, "Exponent", "1", 1.5, "n: 1.5 for spheres, 1 for flat ends", .min = 1, .max = 5),
    PCM_REAL(Law, dissipation, "Dissipation", "s/m", 0.1, "c: slow impacts return 1 - c v of their speed", .min = 0),
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the surfaces touch, or part"},
    {.name = "release", .doc = "they part so fast that nothing follows", .direction = -1},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load", compression},
    {"restitution", "1", "of an impact with that speed, whatever its mass", restitution},
};

PCM_KERNELS(update);
PCM_MODEL(
    HuntCrossley, "Nonlinear spring with damping in proportion to its force", .params = PCM_TABLE(params),
    .source = "Hunt and Crossley, J. Applied Mechanics 42 (1975)",
    .equations =
        "fn = k d^n max(1 + 3/2 c d', 0) for d > 0      d depth, d' depth rate\n"
        "The paper gives the restitution e = 1 - c v, which holds for small c v alone. Exact, with\n"
        "x = 3/2 c v:  x - ln(1 + x) = -e x - ln(1 - e x), whatever k, n and the mass.\n"
        "Holds for impacts of elastic bodies; k and n are those of one contact, as measured, whatever its shape.\n",
    .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .partials = PCM_TABLE(partials),
    .inputs = PCM_DEPTH | PCM_DEPTH_RATE, .outputs = PCM_ENERGY | PCM_DISSIPATION, .flags = PCM_ISOTROPIC);
