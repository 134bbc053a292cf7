/* SPDX-License-Identifier: MIT */
/* A part: the strength of a whole foot, independent of how many points hold it. */
#include <pcm/plugin.h>

typedef struct {
    double strength;
} Law;

static void pair(const pcm_pair_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double breaks = b->force_n[i] < -law.strength;
        b->scale[i] = breaks > 0 ? 0 : 1;
        b->life[i] = breaks > 0 ? PCM_BROKEN : PCM_LIVE;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, strength, "Strength", "N", 20, "pull that the foot bears", .min = 0),
};

PCM_PAIR_KERNELS(pair, pcm_rest);

PCM_MODEL(Strength, "Strength of a whole foot", .params = PCM_TABLE(params), .inputs = PCM_LOAD);
