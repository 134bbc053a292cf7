/* SPDX-License-Identifier: MIT */
/* Roller.c - a part: a smooth moment against rolling and spinning, whose heat goes into both bodies. */
#include <pcm/plugin.h>

typedef struct Law {
    double arm, transition;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double rolling = pcm_length(b->spin_x[i], b->spin_y[i]), limit = law.arm * pcm_ramp(b->load_n[i]);
        const double turning = pcm_length(rolling, b->spin_n[i]), share = pcm_tanh(turning / law.transition);
        const double moment = limit * share / pcm_max(turning, 1e-200), heat = limit * share * turning;
        b->moment_x[i] = -moment * b->spin_x[i];
        b->moment_y[i] = -moment * b->spin_y[i];
        b->moment_n[i] = -moment * b->spin_n[i];
        b->dissipation[i] = heat;
        b->base_flow[0][i] = 0.5 * heat;
        b->follower_flow[0][i] = 0.5 * heat;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, arm, "Arm", "m", 1e-4, "moment by the load", .min = 0),
    PCM_REAL(Law, transition, "TransitionSpin", "rad/s", 0.1, "at which three quarters are there", PCM_ABOVE(0)),
};

static const pcm_amount amounts[] = {
    {.name = "temperature", .unit = "K", .flow_unit = "W", .doc = "of the body", .initial = 293.15, .capacity = 10},
};

PCM_KERNELS(update);
PCM_MODEL(Roller, "Resistance that warms", .params = PCM_TABLE(params), .amounts = PCM_TABLE(amounts),
          .inputs = PCM_SPIN | PCM_LOAD, .outputs = PCM_MOMENT | PCM_DISSIPATION, .flags = PCM_ISOTROPIC);
