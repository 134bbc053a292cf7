/* SPDX-License-Identifier: MIT */
/* LinearHistory.c - LAMMPS's gran/hooke/history as a law: GranHertz without the Hertzian factor. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, tangential_stiffness, normal_damping, tangential_damping, friction;
} Law;

enum { X, Y };

static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double  per_stiffness = 1 / law.tangential_stiffness;
    const double *xs = b->state[X], *ys = b->state[Y];
    double       *next_x = b->next[X], *next_y = b->next[Y], *energy = b->energy;
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], depth = pcm_ramp(b->depth[i]);
        const double viscous = b->mass[i] * law.tangential_damping;
        const double damped = b->mass[i] * law.normal_damping * b->depth_rate[i];
        const double force = law.stiffness * depth + damped;
        const double x = xs[i] + b->dt * vx, y = ys[i] + b->dt * vy;
        const double pull_x = law.tangential_stiffness * x + viscous * vx;
        const double pull_y = law.tangential_stiffness * y + viscous * vy;
        const double bound = law.friction * pcm_abs(force), pull = pcm_length(pull_x, pull_y);
        const double held = pull > bound ? bound / pull : 1;
        b->force_n[i] = force;
        b->force_x[i] = -held * pull_x;
        b->force_y[i] = -held * pull_y;
        next_x[i] = held < 1 ? (held * pull_x - viscous * vx) * per_stiffness : x;
        next_y[i] = held < 1 ? (held * pull_y - viscous * vy) * per_stiffness : y;
        if (b->reports)
            energy[i] = 0.5 * (law.stiffness * depth * depth + law.tangential_stiffness * (x * x + y * y));
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "NormalStiffness", "N/m", 2e5, "kn", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, tangential_stiffness, "TangentialStiffness", "N/m", 5.714e4, "kt", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, normal_damping, "NormalDamping", "1/s", 50, "gn: damping per reduced mass", .min = 0),
    PCM_REAL(Law, tangential_damping, "TangentialDamping", "1/s", 25, "gt: the same, along the surface", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "coefficient mu", .min = 0, .flags = PCM_CONE),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the spring along the surface", 1e-6, PCM_TANGENT, PCM_HISTORY, 0, -1},
};

PCM_KERNELS(update);
PCM_MODEL(LinearHistory, "Linear granular contact with history", .params = PCM_TABLE(params),
          .states = PCM_TABLE(states), .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP | PCM_MASS,
          .outputs = PCM_FRICTION | PCM_ENERGY,
          .flags = PCM_ISOTROPIC | PCM_PULLS | PCM_ACTIVE | PCM_JUMPS | PCM_FRAME_SHARED);
