/* SPDX-License-Identifier: MIT */
/* A spring with every usual mixing rule, and two numbers that the law mixes itself, correctly or wrongly according to a
 * parameter. */
#include <pcm/plugin.h>

typedef struct {
    double  mean, geometric, harmonic, minimum, maximum, stiffness, loss;
    int64_t manner;
} Law;

typedef struct {
    double stiffness, loss;
} Side;

enum { WELL, UNEVEN, REFUSE, INFINITE };
static const char *const manners[] = {"Well", "Uneven", "Refuse", "Infinite", NULL};

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = pcm_max(law.stiffness * b->depth[i], 0);
    }
}

static int mix(const pcm_setup *setup, void *params, const void *a, const void *b)
{
    const Side *of_a = (const Side *)a, *of_b = (const Side *)b;
    Law        *law = (Law *)params;
    law->stiffness = of_a->stiffness * of_b->stiffness / (of_a->stiffness + of_b->stiffness);
    law->loss = law->manner == UNEVEN     ? of_a->loss + 2 * of_b->loss
                : law->manner == INFINITE ? INFINITY
                                          : of_a->loss + of_b->loss;
    if (law->manner == REFUSE)
        setup->report(setup, "Loss", "these do not mix");
    return law->manner == REFUSE;
}

static const pcm_param params[] = {
    PCM_REAL(Law, mean, "Mean", "m", 1, "the mean", .mix = PCM_MIX_MEAN),
    PCM_REAL(Law, geometric, "Geometric", "m", 2, "the geometric mean", .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, harmonic, "Harmonic", "m", 3, "the harmonic mean", .mix = PCM_MIX_HARMONIC),
    PCM_REAL(Law, minimum, "Minimum", "m", 4, "the smaller", .mix = PCM_MIX_MINIMUM),
    PCM_REAL(Law, maximum, "Maximum", "m", 5, "the larger", .mix = PCM_MIX_MAXIMUM),
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e3, "two springs in a row", .min = 0, .mix = PCM_MIX_BY_LAW),
    PCM_REAL(Law, loss, "Loss", "1", 0.5, "the sum", .min = 0, .max = 100, .mix = PCM_MIX_BY_LAW),
    PCM_CHOICE(Law, manner, "Manner", manners, WELL, "how the law mixes"),
};

static const pcm_param sides[] = {
    PCM_REAL(Side, stiffness, "Spring", "N/m", 0, "of one side", .min = 0, .flags = PCM_REQUIRED),
    PCM_REAL(Side, loss, "Loss", "1", 0.25, "of one side", .min = 0),
};

PCM_KERNELS(update);

PCM_MODEL(Blend, "Spring of mixed numbers", .params = PCM_TABLE(params), .sides = PCM_TABLE(sides), .mix = mix,
          .inputs = PCM_DEPTH, .flags = PCM_ISOTROPIC);
