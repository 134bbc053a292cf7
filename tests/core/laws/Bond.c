/* SPDX-License-Identifier: MIT */
/* A spring that pulls across a gap until it breaks there, well within its reach. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, gap, reach;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = law.stiffness * b->depth[i];
        b->life[i] = b->depth[i] < -law.gap ? PCM_BROKEN : PCM_LIVE;
    }
}

static double reach(const void *params) { return ((const Law *)params)->reach; }

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1000, "force per metre of depth", .min = 0),
    PCM_REAL(Law, gap, "Gap", "m", 1e-3, "where it breaks"),
    PCM_REAL(Law, reach, "Reach", "m", 1e-2, "the largest gap at which it is reported", .min = 0),
};

PCM_KERNELS(update);
PCM_MODEL(Bond, "A spring that pulls until it breaks", .params = PCM_TABLE(params), .inputs = PCM_DEPTH,
          .outputs = PCM_LIFE, .flags = PCM_ISOTROPIC | PCM_PULLS, .reach = reach);
