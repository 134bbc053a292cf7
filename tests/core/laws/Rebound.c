/* SPDX-License-Identifier: MIT */
/* A collision whose restitution falls with the approach speed, e = e0 (1 + v/V)^(-q), and whose loss heats both bodies
 * equally. The speed at which a contact begins gives its damping, which then stays constant. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, restitution, speed, exponent;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    double   *to_base = b->base_flow[0], *to_follower = b->follower_flow[0];
    PCM_EACH(b, i) {
        const double spring = law.stiffness * pcm_ramp(b->depth[i]);
        const double force = pcm_choose(spring > 0, pcm_ramp(spring + b->state[0][i] * b->depth_rate[i]), 0);
        const double lost = (force - spring) * b->depth_rate[i];
        b->force_n[i] = force;
        b->next[0][i] = b->state[0][i];
        b->energy[i] = 0.5 * spring * pcm_ramp(b->depth[i]);
        b->dissipation[i] = lost;
        to_base[i] = to_follower[i] = 0.5 * lost;
    }
}

static void establish(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double approach = pcm_ramp(b->depth_rate[i]);
        const double log = pcm_log(law.restitution) - law.exponent * pcm_log(1 + approach / law.speed);
        const double ratio = -log / pcm_sqrt(9.86960440108935862 + log * log);
        b->next[0][i] = 2 * ratio * pcm_sqrt(law.stiffness * b->mass[i]);
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "force per metre of depth", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, restitution, "Restitution", "1", 0.9, "at a touch without speed", .min = 0, .max = 1,
             .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, speed, "Speed", "m/s", 1, "from which on it falls", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, exponent, "Exponent", "1", 0.25, "with which it falls", .min = 0),
};

static const pcm_state states[] = {
    {.name = "damping", .unit = "N*s/m", .doc = "from the speed of approach", .nominal = 10, .swap = 1},
};

static const pcm_amount amounts[] = {{"temperature", "K", "of the object", "W", 293.15, 0}};

PCM_KERNELS(update, establish);
PCM_MODEL(Rebound, "Restitution by the speed of approach", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .amounts = PCM_TABLE(amounts), .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_MASS,
          .outputs = PCM_ENERGY | PCM_DISSIPATION, .flags = PCM_ISOTROPIC | PCM_JUMPS);
