/* SPDX-License-Identifier: MIT */
/* A continuous state that grows with the depth, and a push that is a host input. */
#include <pcm/plugin.h>

#ifndef VERSION
#define VERSION NULL /* ../newer defines another one */
#endif
#ifndef STATE
#define STATE "creep" /* ../renamed defines another one */
#endif

typedef struct {
    int64_t pushed;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        double push = law.pushed ? b->host_inputs[0][i] : 0;
        b->rate[0][i] = b->depth[i] - b->state[0][i];
        b->force_n[i] = 100 * b->state[0][i] + push;
        b->event[0][i] = b->state[0][i] - 1;
        b->energy[i] = 50 * b->state[0][i] * b->state[0][i];
    }
}

static const pcm_param params[] = {
    PCM_SWITCH(Law, pushed, "Pushed", 0, "whether the host gives a push"),
};

static const pcm_state states[] = {
    {STATE, "m", "follows the depth", 1e-3, PCM_SCALAR, PCM_CONTINUOUS, 0, 1},
};

static const pcm_host_input host_inputs[] = {
    {.name = "push", .unit = "N", .doc = "normal force on top", .when = "Pushed=true"},
};

static const pcm_event events[] = {
    {"full", "creep reaches 1 m", 1, 0},
};

PCM_KERNELS(update);
PCM_MODEL(Creep, "A force that follows the depth", .version = VERSION, .params = PCM_TABLE(params),
          .states = PCM_TABLE(states), .host_inputs = PCM_TABLE(host_inputs), .events = PCM_TABLE(events),
          .inputs = PCM_DEPTH, .outputs = PCM_ENERGY, .flags = PCM_ISOTROPIC);
