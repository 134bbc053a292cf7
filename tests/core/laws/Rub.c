/* SPDX-License-Identifier: MIT */
/* Friction proportional to the sign of the slip: it jumps where the slip changes its sign, and declares no event
 * there. */
#include <pcm/plugin.h>

typedef struct {
    double force;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = 0;
        b->force_x[i] = b->slip_x[i] > 0 ? -law.force : law.force;
        b->force_y[i] = 0;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, force, "Force", "N", 10, "against the slip", .min = 0),
};

PCM_KERNELS(update);
PCM_MODEL(Rub, "Friction that jumps where the slip changes its sign", .params = PCM_TABLE(params), .inputs = PCM_SLIP,
          .outputs = PCM_FRICTION);
