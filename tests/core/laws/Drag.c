/* SPDX-License-Identifier: MIT */
/* A tangential spring that slips when it reaches friction times the load of the parts before it. */
#include "parts.h"

typedef struct {
    double stiffness, friction;
} Law;

enum { X, Y };

static void establish(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->next[X][i] = 1e-6;
        b->next[Y][i] = 0;
    }
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double x = b->state[X][i] + b->dt * b->slip_x[i], y = b->state[Y][i] + b->dt * b->slip_y[i];
        const double pull = law.stiffness * pcm_length(x, y);
        const double bound = law.friction * (b->load_elastic[i] + 2 * b->load_pull_off[i]);
        const double scale = drag_scale(pull, bound);
        b->next[X][i] = scale * x;
        b->next[Y][i] = scale * y;
        b->force_x[i] = -law.stiffness * scale * x;
        b->force_y[i] = -law.stiffness * scale * y;
        b->mode[i] = pull > bound ? PCM_SLIPPING : PCM_STICKING;
        b->energy[i] = 0.5 * law.stiffness * (scale * x * (scale * x) + scale * y * (scale * y));
        b->event[0][i] = bound - pull;
    }
}

static void jump(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->next[X][i] = -b->state[X][i];
        b->next[Y][i] = -b->state[Y][i];
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    if (((Law *)params)->friction <= 9)
        return 0;
    setup->report(setup, "Friction", "nothing is that rough");
    return 1;
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 5e3, "of the spring", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "on the load", .min = 0),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the spring", 1e-4, PCM_TANGENT, PCM_HISTORY, 0, -1},
};

static const pcm_event events[] = {{"slips", "the spring pulls as much as friction holds", -1, 1}};

PCM_KERNELS(update, establish, jump);

PCM_MODEL(Drag, "Spring in the tangent plane", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .events = PCM_TABLE(events), .inputs = PCM_SLIP | PCM_LOAD, .outputs = PCM_FRICTION | PCM_MODE | PCM_ENERGY,
          .prepare = prepare);
