/* SPDX-License-Identifier: MIT */
/* A law whose parameters come from two materials. */
#include <pcm/plugin.h>

typedef struct {
    double modulus, shear, grip;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->force_n[i] = law.modulus * law.grip * pcm_ramp(b->depth[i]);
}

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "Modulus", "Pa", 0, "E* of both sides", .min = 0, .flags = PCM_REQUIRED,
             .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, shear, "Shear", "Pa", 1e9, "G* of both sides", PCM_ABOVE(0), .mix = PCM_MIX_SHEAR),
    PCM_REAL(Law, grip, "Grip", "1", 1, "the geometric mean", .flags = PCM_CONE, .mix = PCM_MIX_GEOMETRIC),
};

PCM_KERNELS(update);
PCM_MODEL(Mixed, "Spring of two materials", .params = PCM_TABLE(params), .inputs = PCM_DEPTH, .flags = PCM_ISOTROPIC);
