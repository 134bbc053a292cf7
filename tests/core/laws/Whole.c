/* SPDX-License-Identifier: MIT */
/* Elastic, Drag and Roll in one law, written by hand. */
#include "parts.h"

typedef struct {
    double stiffness, sticky, drag, friction, roll;
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
        const double elastic = elastic_force(law.stiffness, b->depth[i]);
        const double load = elastic + (b->depth[i] > 0 ? -law.sticky : 0), radius = elastic_radius(b->depth[i]);
        const double x = b->state[X][i] + b->dt * b->slip_x[i], y = b->state[Y][i] + b->dt * b->slip_y[i];
        const double pull = law.drag * pcm_length(x, y), bound = law.friction * (elastic + 2 * law.sticky);
        const double scale = drag_scale(pull, bound);
        b->next[X][i] = scale * x;
        b->next[Y][i] = scale * y;
        b->force_n[i] = load;
        b->force_x[i] = -law.drag * scale * x;
        b->force_y[i] = -law.drag * scale * y;
        b->moment_n[i] = roll_moment(law.roll, load, radius, b->spin_n[i]);
        b->moment_x[i] = roll_moment(law.roll, load, radius, b->spin_x[i]);
        b->moment_y[i] = roll_moment(law.roll, load, radius, b->spin_y[i]);
        b->mode[i] = pull > bound ? PCM_SLIPPING : PCM_STICKING;
        b->energy[i] =
            0.5 * elastic * b->depth[i] + 0.5 * law.drag * (scale * x * (scale * x) + scale * y * (scale * y));
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

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e4, "of the normal spring", .min = 0),
    PCM_REAL(Law, sticky, "Sticky", "N", 0.25, "pull of the surfaces", .min = 0),
    PCM_REAL(Law, drag, "DragStiffness", "N/m", 5e3, "of the tangent spring", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "on the load", .min = 0),
    PCM_REAL(Law, roll, "RollFriction", "1", 0.01, "of rolling", .min = 0),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the tangent spring", 1e-4, PCM_TANGENT, PCM_HISTORY, 0, -1},
};

static const pcm_event events[] = {{"slips", "the spring pulls as much as friction holds", -1, 1}};

PCM_KERNELS(update, establish, jump);

PCM_MODEL(Whole, "Elastic, Drag and Roll", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .events = PCM_TABLE(events), .inputs = PCM_DEPTH | PCM_SLIP | PCM_SPIN,
          .outputs = PCM_FRICTION | PCM_MOMENT | PCM_MODE | PCM_ENERGY, .flags = PCM_PULLS);
