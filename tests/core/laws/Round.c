/* SPDX-License-Identifier: MIT */
/* A law of round bodies that holds for contacts in a point alone. */
#include <pcm/plugin.h>

typedef struct {
    double modulus;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->force_n[i] = law.modulus * pcm_sqrt(b->radius[i] * pcm_ramp(b->depth[i])) * pcm_ramp(b->depth[i]);
}

static const pcm_param params[] = {PCM_REAL(Law, modulus, "Modulus", "Pa", 1e6, "E", .min = 0)};

PCM_KERNELS(update);

PCM_MODEL(Round, "Round bodies", .params = PCM_TABLE(params), .inputs = PCM_DEPTH | PCM_RADIUS, .flags = PCM_POINTS);
