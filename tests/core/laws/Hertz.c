/* SPDX-License-Identifier: MIT */
/* Hertz's elastic spheres; two materials give the modulus. */
#include <pcm/plugin.h>

typedef struct {
    double modulus;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double depth = pcm_ramp(b->depth[i]);
        const double radius = pcm_sqrt(b->radius[i] * depth);
        b->force_n[i] = 4.0 / 3 * law.modulus * radius * depth;
        b->patch_radius[i] = radius;
        b->energy[i] = 8.0 / 15 * law.modulus * radius * depth * depth;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 0, "E* of both bodies", .min = 0, .flags = PCM_REQUIRED,
             .mix = PCM_MIX_MODULUS),
};

PCM_KERNELS(update);

PCM_MODEL(Hertz, "Elastic spheres", .params = PCM_TABLE(params), .inputs = PCM_DEPTH | PCM_RADIUS,
          .outputs = PCM_ENERGY | PCM_PATCH_RADIUS, .flags = PCM_ISOTROPIC);
