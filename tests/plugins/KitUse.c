/* SPDX-License-Identifier: MIT */
/* KitUse.c - a law around a single expression with the kit, EXPRESSION, of a lane's motion and of parameters, which are
 * the same for every lane: see kit.sh. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, exponent, rate;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double d = b->depth[i], v = b->depth_rate[i];
        const double spring = law.stiffness * EXPRESSION;
        b->force_n[i] = pcm_ramp(spring * (1 + law.rate * v));
        if (b->reports)
            b->energy[i] = spring * pcm_ramp(d) / (law.exponent + 1);
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "1", 1, "factor of the expression"),
    PCM_REAL(Law, exponent, "Exponent", "1", 1.5, "used in it"),
    PCM_REAL(Law, rate, "Rate", "1", 1, "used in it"),
};

PCM_KERNELS(update);
PCM_MODEL(KitUse, "An expression of the kit", .params = PCM_TABLE(params), .inputs = PCM_DEPTH | PCM_DEPTH_RATE,
          .outputs = PCM_ENERGY);
