/* SPDX-License-Identifier: MIT */
/* Pad.c - a spring with a damper that grows with the depth, smooth friction, and every optional report. */
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, damping, friction, transition;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double depth = pcm_ramp(b->depth[i]), rate = b->depth_rate[i];
        const double spring = law.stiffness * depth, push = spring * pcm_ramp(1 + law.damping * rate);
        const double speed = pcm_length(b->slip_x[i], b->slip_y[i]), limit = law.friction * push;
        const double share = pcm_tanh(speed / law.transition), rub = limit * share / pcm_max(speed, 1e-200);
        b->force_n[i] = push;
        b->force_x[i] = -rub * b->slip_x[i];
        b->force_y[i] = -rub * b->slip_y[i];
        if (b->reports) {
            b->energy[i] = 0.5 * spring * depth;
            b->dissipation[i] = (push - spring) * rate + limit * share * speed;
        }
    }
    for (size_t i = 0; b->jacobian && i < b->count; i++) {
        const double factor = 1 + law.damping * b->depth_rate[i];
        b->jacobian[0][i] = b->depth[i] > 0 ? law.stiffness * pcm_ramp(factor) : 0;
        b->jacobian[1][i] = factor > 0 ? law.stiffness * pcm_ramp(b->depth[i]) * law.damping : 0;
    }
}

PCM_DERIVED(Law, compression, load->force / law->stiffness);

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "of the spring", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "Damping", "s/m", 0.2, "growth of the force with the rate", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.6, "mu", .min = 0, .flags = PCM_CONE),
    PCM_REAL(Law, transition, "TransitionVelocity", "m/s", 1e-3, "slip at which three quarters are there",
             PCM_ABOVE(0)),
};

static const pcm_derived derived[] = {{"compression", "m", "under the load", compression}};
static const pcm_partial partials[] = {
    {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH},
    {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH_RATE},
};

PCM_KERNELS(update);
PCM_MODEL(Pad, "A pad", .params = PCM_TABLE(params), .derived = PCM_TABLE(derived), .partials = PCM_TABLE(partials),
          .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP, .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION,
          .flags = PCM_ISOTROPIC);
