/* SPDX-License-Identifier: MIT */
/* A law that writes to memory that it must not write to. */
#include <pcm/plugin.h>

static const char *const ways[] = {"Nowhere", "Before", "Behind", "Input", "Params", NULL};

typedef struct {
    double  stiffness;
    int64_t how;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->force_n[i] = law.stiffness * pcm_ramp(b->depth[i]);
    switch (law.how) {
    case 1:
        b->force_n[-1] = 1e3;
        break;
    case 2:
        b->force_n[b->count + 2] = 1e3;
        break;
    case 3:
        *(double *)(uintptr_t)b->depth = 1;
        break;
    case 4:
        ((Law *)(uintptr_t)b->params)->stiffness = 1;
        break;
    default:
        break;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e3, "force per metre of depth", .min = 0),
    PCM_CHOICE(Law, how, "How", ways, 0, "the way"),
};

PCM_KERNELS(update);
PCM_MODEL(Strays, "A law that writes where it may not", .params = PCM_TABLE(params), .inputs = PCM_DEPTH);
