/* SPDX-License-Identifier: MIT */
/* A spring that pulls across a gap and breaks there, well within its reach; it reports a heat of 2 W. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, gap, reach;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = law.stiffness * b->depth[i];
        b->next[0][i] = b->state[0][i] + 2 * b->dt;
        b->energy[i] = 0;
        b->dissipation[i] = 2;
        b->life[i] = b->depth[i] < -law.gap ? PCM_BROKEN : PCM_LIVE;
    }
}

static void terminate(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->energy[i] = 3;
        b->dissipation[i] = b->state[0][i];
    }
}

static double reach(const void *params) { return ((const Law *)params)->reach; }

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1000, "force per metre of depth", .min = 0),
    PCM_REAL(Law, gap, "Gap", "m", 1e-3, "where it breaks"),
    PCM_REAL(Law, reach, "Reach", "m", 1e-2, "the largest gap at which it is reported", .min = 0),
};

static const pcm_state states[] = {
    {.name = "heat", .unit = "J", .doc = "turned into heat", .nominal = 1, .role = PCM_HISTORY, .swap = 1},
};

PCM_KERNELS(update, pcm_rest, pcm_rest, terminate);
PCM_MODEL(Bond, "A spring that pulls until it breaks", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .inputs = PCM_DEPTH, .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE, .flags = PCM_ISOTROPIC | PCM_PULLS,
          .reach = reach);
