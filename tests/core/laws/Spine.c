/* SPDX-License-Identifier: MIT */
/* A spring that holds on to the surface: it pulls across a gap, up to a limit. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, length;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = law.stiffness * b->depth[i];
        b->energy[i] = 0.5 * law.stiffness * b->depth[i] * b->depth[i];
    }
}

static double reach(const void *params) { return ((const Law *)params)->length; }

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e4, "of the spring", .min = 0),
    PCM_REAL(Law, length, "Length", "m", 0.01, "gap at which it lets go", .min = 0),
};

PCM_KERNELS(update);

PCM_MODEL(Spine, "Spring that holds on", .params = PCM_TABLE(params), .inputs = PCM_DEPTH, .outputs = PCM_ENERGY,
          .flags = PCM_ISOTROPIC | PCM_PULLS, .reach = reach);
