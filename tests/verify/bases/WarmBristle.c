/* SPDX-License-Identifier: MIT */
/* WarmBristle.c - a spring, and a bristle whose friction decreases as it heats both bodies. */
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, bristle, friction, softening, reference;
} Law;

enum { X, Y };

static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double *base = b->base_amount[0], *follower = b->follower_amount[0], still = b->dt > 0 ? 0 : 1;
    double       *to_base = b->base_flow[0], *to_follower = b->follower_flow[0];
    double       *next_x = b->next[X], *next_y = b->next[Y];
    const double  per_dt = still > 0 ? 0 : 1 / b->dt;
    PCM_EACH(b, i) {
        const double depth = pcm_ramp(b->depth[i]), push = law.stiffness * depth;
        const double warmer = 0.5 * (base[i] + follower[i]) - law.reference;
        const double limit = law.friction * pcm_clamp(1 - law.softening * warmer, 0.05, 1) * push;
        const double x = b->state[X][i] + b->dt * b->slip_x[i], y = b->state[Y][i] + b->dt * b->slip_y[i];
        const double pull = law.bristle * pcm_length(x, y), held = pull > limit ? limit / pull : 1;
        const double most = pull > limit ? limit : pull;
        const double lost = (pull + most) * (pull - most) * 0.5 / law.bristle * per_dt;
        b->force_n[i] = push;
        b->force_x[i] = -law.bristle * held * x;
        b->force_y[i] = -law.bristle * held * y;
        next_x[i] = held * x;
        next_y[i] = held * y;
        to_base[i] = 0.5 * lost;
        to_follower[i] = 0.5 * lost;
        if (b->reports) {
            const int64_t touches = pull > limit ? PCM_SLIPPING : PCM_STICKING;
            b->energy[i] = 0.5 * most * most / law.bristle + 0.5 * push * depth;
            b->dissipation[i] = lost;
            b->mode[i] = push > 0 ? touches : PCM_SEPARATED;
            b->event[0][i] = limit - pull;
        }
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 2e4, "of the spring", PCM_ABOVE(0)),
    PCM_REAL(Law, bristle, "BristleStiffness", "N/m", 8e3, "of the bristle", PCM_ABOVE(0)),
    PCM_REAL(Law, friction, "Friction", "1", 0.7, "of cold bodies", .min = 0, .flags = PCM_CONE),
    PCM_REAL(Law, softening, "Softening", "1/K", 0.003, "share of the friction that a kelvin takes", .min = 0),
    PCM_REAL(Law, reference, "ColdTemperature", "K", 293.15, "up to which friction is whole", PCM_ABOVE(0)),
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

static const pcm_amount amounts[] = {
    {.name = "temperature", .unit = "K", .flow_unit = "W", .doc = "of the body", .initial = 293.15, .capacity = 10},
};

PCM_KERNELS(update);
PCM_MODEL(WarmBristle, "A bristle that warms", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .events = PCM_TABLE(events), .amounts = PCM_TABLE(amounts), .inputs = PCM_DEPTH | PCM_SLIP,
          .outputs = PCM_FRICTION | PCM_MODE | PCM_ENERGY | PCM_DISSIPATION, .flags = PCM_ISOTROPIC);
