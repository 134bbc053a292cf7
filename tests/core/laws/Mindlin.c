/* SPDX-License-Identifier: MIT */
/* Mindlin's tangential stiffness of spheres under a load, limited by Coulomb friction; two materials give both
 * parameters. */
#include <pcm/plugin.h>

typedef struct {
    double modulus, friction;
} Law;

enum { X, Y };

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double stiffness = 8 * law.modulus * b->contact_radius[i], bound = law.friction * b->load_n[i];
        const double x = b->state[X][i] + b->dt * b->slip_x[i], y = b->state[Y][i] + b->dt * b->slip_y[i];
        const double pull = stiffness * pcm_length(x, y);
        const double scale = pull > bound ? bound / pull : 1;
        b->next[X][i] = scale * x;
        b->next[Y][i] = scale * y;
        b->force_x[i] = -stiffness * scale * x;
        b->force_y[i] = -stiffness * scale * y;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedShearModulus", "Pa", 0, "G* of both bodies", .min = 0, .flags = PCM_REQUIRED,
             .mix = PCM_MIX_SHEAR),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "coefficient of friction", .min = 0, .flags = PCM_CONE,
             .mix = PCM_MIX_GEOMETRIC),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the tangent spring", 1e-6, PCM_TANGENT, PCM_HISTORY, 0, -1},
};

PCM_KERNELS(update);

PCM_MODEL(Mindlin, "Tangent spring of elastic spheres", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .inputs = PCM_SLIP | PCM_LOAD | PCM_CONTACT_RADIUS, .outputs = PCM_FRICTION);
