/* SPDX-License-Identifier: MIT */
/* A normal spring, and a tangential spring whose stretch keeps the contact alive after the touch until it has
 * relaxed. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness;
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
        double touching = b->depth[i] > 0 ? 1 : 0;
        double kept = b->depth[i] > 0 ? 1 : 0.5;
        double x = kept * b->state[X][i] + b->dt * b->slip_x[i];
        double y = kept * b->state[Y][i] + b->dt * b->slip_y[i];
        b->next[X][i] = pcm_abs(x) > 1e-7 ? x : 0;
        b->next[Y][i] = pcm_abs(y) > 1e-7 ? y : 0;
        b->force_n[i] = pcm_max(law.stiffness * b->depth[i], 0);
        b->force_x[i] = -touching * law.stiffness * x;
        b->force_y[i] = -touching * law.stiffness * y;
        b->moment_n[i] = -touching * b->spin_n[i];
        b->moment_x[i] = 0;
        b->moment_y[i] = 0;
        b->mode[i] = b->depth[i] > 0 ? PCM_STICKING : PCM_SEPARATED;
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
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e4, "of both springs", .min = 0),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the tangent spring", 1e-4, PCM_TANGENT, PCM_HISTORY, PCM_LINGERS, -1},
};

static const pcm_event events[] = {
    {"flip", "stretch changes its sign", 0, 1},
};

PCM_KERNELS(update, establish, jump);
PCM_MODEL(Brush, "Springs along the normal and the tangent plane", .params = PCM_TABLE(params),
          .states = PCM_TABLE(states), .events = PCM_TABLE(events), .inputs = PCM_DEPTH | PCM_SLIP | PCM_SPIN,
          .outputs = PCM_FRICTION | PCM_MOMENT | PCM_MODE);
