/* SPDX-License-Identifier: MIT */
/* Bristle.c - a part: a bristle with a damper that slides at the friction limit, and reports all of its energy. */
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, friction;
} Law;

enum { X, Y };

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    double      *next_x = b->next[X], *next_y = b->next[Y];
    const double per_dt = b->dt > 0 ? 1 / pcm_max(b->dt, 1e-300) : 0;
    PCM_EACH(b, i) {
        const double limit = law.friction * pcm_ramp(b->load_n[i]);
        const double x = b->state[X][i] + b->dt * b->slip_x[i], y = b->state[Y][i] + b->dt * b->slip_y[i];
        const double pull = law.stiffness * pcm_length(x, y), held = pull > limit ? limit / pull : 1;
        b->force_x[i] = -law.stiffness * held * x;
        b->force_y[i] = -law.stiffness * held * y;
        next_x[i] = held * x;
        next_y[i] = held * y;
        if (b->reports) {
            const double  most = pcm_min(pull, limit);
            const int64_t touches = pull > limit ? PCM_SLIPPING : PCM_STICKING;
            b->energy[i] = 0.5 * most * most / law.stiffness;
            b->dissipation[i] = 0.5 * (pull - most) * (pull + most) / law.stiffness * per_dt;
            b->mode[i] = b->load_n[i] > 0 ? touches : PCM_SEPARATED;
            b->event[0][i] = limit - pull;
        }
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "BristleStiffness", "N/m", 5e4, "of the bristle", PCM_ABOVE(0)),
    PCM_REAL(Law, friction, "Friction", "1", 0.6, "mu", .min = 0, .flags = PCM_CONE),
};

static const pcm_state states[] = {
    {.name = "bend",
     .unit = "m",
     .doc = "of the bristle",
     .nominal = 1e-4,
     .shape = PCM_TANGENT,
     .role = PCM_HISTORY,
     .swap = -1},
};

static const pcm_event events[] = {{.name = "slide", .doc = "the bristle begins to slide, or holds", .direction = 0}};

PCM_KERNELS(update);
PCM_MODEL(Bristle, "A bristle", .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
          .inputs = PCM_SLIP | PCM_LOAD, .outputs = PCM_FRICTION | PCM_MODE | PCM_ENERGY | PCM_DISSIPATION,
          .flags = PCM_ISOTROPIC);
