/* SPDX-License-Identifier: MIT */
/* Friction of contacts that strengthen while they rest: mu = mu0 + B ln(1 + age/A), with d(age)/dt = 1 - |v| age/L:
 * sliding over a distance of L erases the age (Dieterich 1979, Ruina 1983). Each step solves this exactly for a
 * constant speed, so that the age never falls below 0. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, friction, growth, unit, way, slowest;
} Law;

/* (1 - exp(-x))/x. */
PCM_INLINE double mean_decay(double x)
{
    const double few = 1e-3, safe = pcm_max(x, few);
    return pcm_choose(x < few, 1 - x * (1.0 / 2 - x * (1.0 / 6 - x / 24)), (1 - pcm_exp_falling(-safe)) / safe);
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double speed = pcm_length(b->slip_x[i], b->slip_y[i]), age = b->state[0][i];
        const double push = law.stiffness * pcm_ramp(b->depth[i]);
        const double friction = law.friction + law.growth * pcm_log(1 + age / law.unit);
        const double drag = -friction * push * pcm_tanh_ratio(speed / law.slowest) / law.slowest;
        const double gone = speed * b->dt / law.way;
        b->force_n[i] = push;
        b->force_x[i] = drag * b->slip_x[i];
        b->force_y[i] = drag * b->slip_y[i];
        b->rate[0][i] = 1 - speed * age / law.way;
        b->next[0][i] = age * pcm_exp_falling(-gone) + b->dt * mean_decay(gone);
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "force per metre of depth", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.6, "of a contact without age", .min = 0),
    PCM_REAL(Law, growth, "Growth", "1", 0.02, "of the friction, per e-fold of the age", .min = 0),
    PCM_REAL(Law, unit, "Unit", "s", 1, "age from which on it grows", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, way, "Way", "m", 1e-5, "over which the age is forgotten", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, slowest, "Slowest", "m/s", 1e-6, "slip below which friction is not full", .min = 0,
             .flags = PCM_OPEN_MIN),
};

static const pcm_state states[] = {
    {"age", "s", "of the contact", 1, PCM_SCALAR, PCM_CONTINUOUS, PCM_STEPS, 1},
};

PCM_KERNELS(update);
PCM_MODEL(Ageing, "Friction that grows with the age", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .flags = PCM_ISOTROPIC);
