/* SPDX-License-Identifier: MIT */
/* Bekker's plate: pressure (kc / b + kphi) z, where b, the width of the whole plate, is a property of the pair. */
#include <pcm/plugin.h>

typedef struct {
    double cohesive, frictional, bad;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = law.frictional * b->area[i] * pcm_max(b->depth[i], 0);
        b->force_x[i] = -0.1 * b->force_n[i];
        b->force_y[i] = 0;
        b->energy[i] = 0.5 * b->force_n[i] * pcm_max(b->depth[i], 0);
    }
}

static void pair(const pcm_pair_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double width = pcm_sqrt(b->area[i]), scale = 1 + law.cohesive / (law.frictional * width);
        b->scale[i] = law.bad > 0 && b->depth[i] > law.bad ? -1 : scale;
        b->life[i] = law.bad > 0 && b->depth[i] > 2 * law.bad ? PCM_INVALID : PCM_LIVE;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, cohesive, "Cohesive", "N/m^2", 2e4, "kc", .min = 0),
    PCM_REAL(Law, frictional, "Frictional", "N/m^3", 1e6, "kphi", .min = 0, .flags = PCM_OPEN_MIN),
    PCM_REAL(Law, bad, "Bad", "m", 0, "depth from which the verb gives a scale that is none; 0: never", .min = 0),
};

PCM_PAIR_KERNELS(pair, update);

PCM_MODEL(Plate, "Plate on soil", .params = PCM_TABLE(params), .inputs = PCM_DEPTH | PCM_AREA,
          .outputs = PCM_FRICTION | PCM_ENERGY);
