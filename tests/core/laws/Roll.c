/* SPDX-License-Identifier: MIT */
/* A moment against spin that grows with the load and the circle of contact. */
#include "parts.h"

typedef struct {
    double friction;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->moment_n[i] = roll_moment(law.friction, b->load_n[i], b->contact_radius[i], b->spin_n[i]);
        b->moment_x[i] = roll_moment(law.friction, b->load_n[i], b->contact_radius[i], b->spin_x[i]);
        b->moment_y[i] = roll_moment(law.friction, b->load_n[i], b->contact_radius[i], b->spin_y[i]);
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, friction, "Friction", "1", 0.01, "of rolling", .min = 0),
};

PCM_KERNELS(update);

PCM_MODEL(Roll, "Moment against spin", .params = PCM_TABLE(params), .inputs = PCM_SPIN | PCM_LOAD | PCM_CONTACT_RADIUS,
          .outputs = PCM_MOMENT, .flags = PCM_ISOTROPIC);
