/* SPDX-License-Identifier: MIT */
/* A law that reads one of Mixed's properties in another unit. */
#include <pcm/plugin.h>

typedef struct {
    double grip;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->force_n[i] = b->depth[i] > 0 ? law.grip : 0;
}

static const pcm_param params[] = {
    PCM_REAL(Law, grip, "Grip", "N", 1, "the mean", .mix = PCM_MIX_MEAN),
};

PCM_KERNELS(update);
PCM_MODEL(Unlike, "Push of two materials", .params = PCM_TABLE(params), .inputs = PCM_DEPTH, .flags = PCM_ISOTROPIC);
