/* SPDX-License-Identifier: MIT */
/* A law that writes to memory that it must not write to. */
#include <pcm/plugin.h>

static const char *const ways[] = {"Nowhere", "Before",      "Behind", "Input",        "BeforeInput", "BehindInput",
                                   "State",   "BehindState", "Params", "BehindParams", NULL};

typedef struct {
    double  stiffness;
    int64_t how;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = law.stiffness * pcm_ramp(b->depth[i]);
        b->next[0][i] = b->state[0][i] + b->dt;
    }
    double *const depth = (double *)(uintptr_t)b->depth, *const age = (double *)(uintptr_t)b->state[0];
    double *const own = (double *)(uintptr_t)b->params;
    double *const places[] = {
        NULL, b->force_n - 1, b->force_n + b->count + 2, depth, depth - 1, depth + b->count, age + 0, age + b->count,
        own,  own + 2};
    if (places[law.how])
        *places[law.how] = 1;
}

static const pcm_state states[] = {{"age", "s", "since it began", 1, PCM_SCALAR, PCM_HISTORY, 0, 1}};

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e3, "force per metre of depth", .min = 0),
    PCM_CHOICE(Law, how, "How", ways, 0, "the way"),
};

PCM_KERNELS(update);
PCM_MODEL(Strays, "A law that writes where it may not", .params = PCM_TABLE(params), .states = PCM_TABLE(states),
          .inputs = PCM_DEPTH);
