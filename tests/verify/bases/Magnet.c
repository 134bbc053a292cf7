/* SPDX-License-Identifier: MIT */
/* Magnet.c - a hard magnet: its pull falls with the square of the distance, to zero at the end of its range. */
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, pull, scale, range;
} Law;

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double end = 1 + law.range / law.scale, least = 1 / (end * end);
    PCM_EACH(b, i) {
        const double depth = pcm_ramp(b->depth[i]), gap = pcm_min(pcm_ramp(-b->depth[i]), law.range);
        const double far = 1 + gap / law.scale, pull = law.pull * (1 / (far * far) - least);
        b->force_n[i] = law.stiffness * depth - pull;
        b->energy[i] = 0.5 * law.stiffness * depth * depth - (1 - least) * law.pull * depth -
                       law.pull * (law.scale * (1 / far - 1 / end) - least * (law.range - gap));
    }
}

static double onset(const void *params) { return ((const Law *)params)->range; }

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "where it touches", PCM_ABOVE(0)),
    PCM_REAL(Law, pull, "Pull", "N", 30, "where it touches", .min = 0),
    PCM_REAL(Law, scale, "Scale", "m", 1e-4, "the gap at which a quarter of it is left", PCM_ABOVE(0)),
    PCM_REAL(Law, range, "Range", "m", 5e-3, "the gap at which nothing is left", PCM_ABOVE(0)),
};

PCM_KERNELS(update);
PCM_MODEL(Magnet, "A magnet", .params = PCM_TABLE(params), .inputs = PCM_DEPTH, .outputs = PCM_ENERGY,
          .flags = PCM_ISOTROPIC | PCM_PULLS, .onset = onset);
