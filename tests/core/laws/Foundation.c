/* SPDX-License-Identifier: MIT */
/* An elastic foundation: pressure proportional to depth, on the area that each contact represents. */
#include <pcm/plugin.h>

typedef struct {
    double modulus;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double depth = pcm_max(b->depth[i], 0), force = law.modulus * b->area[i] * depth;
        b->force_n[i] = force;
        b->energy[i] = 0.5 * force * depth;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "Modulus", "Pa/m", 1e7, "pressure per metre of depth", .min = 0),
};

PCM_KERNELS(update);

PCM_MODEL(Foundation, "Pressure in proportion to depth", .params = PCM_TABLE(params), .inputs = PCM_DEPTH | PCM_AREA,
          .outputs = PCM_ENERGY, .flags = PCM_ISOTROPIC);
