/* SPDX-License-Identifier: MIT */
/* A soft sole of constant thickness on rigid ground: it is compressed and sheared, and slips when it reaches the
 * friction limit. All parameters describe the material, none the foot. */
#include <pcm/plugin.h>

typedef struct {
    double modulus, shear, thickness, friction;
} Law;

enum { X, Y };

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double area = b->area[i], depth = pcm_max(b->depth[i], 0);
        const double normal = law.modulus / law.thickness * depth * area, stiffness = law.shear / law.thickness * area;
        const double x = b->state[X][i] + b->dt * b->slip_x[i], y = b->state[Y][i] + b->dt * b->slip_y[i];
        const double pull = stiffness * pcm_length(x, y), bound = law.friction * normal;
        const double scale = pull > bound ? bound / pull : 1;
        b->next[X][i] = scale * x;
        b->next[Y][i] = scale * y;
        b->force_n[i] = normal;
        b->force_x[i] = -stiffness * scale * x;
        b->force_y[i] = -stiffness * scale * y;
        b->mode[i] = pull > bound ? PCM_SLIPPING : PCM_STICKING;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "Modulus", "Pa", 2e6, "of compression between plates", .min = 0),
    PCM_REAL(Law, shear, "Shear", "Pa", 5e5, "shear modulus", .min = 0),
    PCM_REAL(Law, thickness, "Thickness", "m", 0.01, "of the sole", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, friction, "Friction", "1", 0.8, "on the normal force", .min = 0),
};

static const pcm_state states[] = {
    {"shift", "m", "of the sole's surface against the foot", 1e-4, PCM_TANGENT, PCM_HISTORY, 0, -1},
};

PCM_KERNELS(update);

PCM_MODEL(Sole, "Soft layer with friction", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .inputs = PCM_DEPTH | PCM_SLIP | PCM_AREA, .outputs = PCM_FRICTION | PCM_MODE);
