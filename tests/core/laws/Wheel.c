/* SPDX-License-Identifier: MIT */
/* Rolling resistance against the spin of each body in the tangent plane, and a torque against their relative spin about
 * the normal. */
#include <pcm/plugin.h>

typedef struct {
    double base, follower, twist;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = 0;
        b->moment_x[i] = law.base * b->base_spin_x[i] - law.follower * b->follower_spin_x[i];
        b->moment_y[i] = law.base * b->base_spin_y[i] - law.follower * b->follower_spin_y[i];
        b->moment_n[i] = law.twist * (b->base_spin_n[i] - b->follower_spin_n[i]);
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, base, "BaseResistance", "N*m*s", 0.25, "of the base", .min = 0),
    PCM_REAL(Law, follower, "FollowerResistance", "N*m*s", 0.75, "of the follower", .min = 0),
    PCM_REAL(Law, twist, "Twist", "N*m*s", 0.5, "of both", .min = 0),
};

PCM_KERNELS(update);
PCM_MODEL(Wheel, "Resistance against the spin of each body", .params = PCM_TABLE(params), .inputs = PCM_BODY_SPINS,
          .outputs = PCM_MOMENT, .flags = PCM_ISOTROPIC);
