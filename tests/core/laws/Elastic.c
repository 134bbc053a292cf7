/* SPDX-License-Identifier: MIT */
/* A normal spring that gives later parts its elastic and adhesive shares and the circle of contact. */
#include "parts.h"

typedef struct {
    double stiffness, sticky;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double elastic = elastic_force(law.stiffness, b->depth[i]);
        const double adhesive = b->depth[i] > 0 ? -law.sticky : 0;
        b->force_n[i] = elastic + adhesive;
        b->elastic_n[i] = elastic;
        b->adhesive_n[i] = adhesive;
        b->pull_off[i] = law.sticky;
        b->patch_radius[i] = elastic_radius(b->depth[i]);
        b->energy[i] = 0.5 * elastic * b->depth[i];
        if (b->jacobian)
            b->jacobian[0][i] = b->depth[i] > 0 ? law.stiffness : 0;
    }
}

/* Later parts that read the load depend on the depth too: a sum uses this column only if it has no such parts. */
static const pcm_partial partials[] = {{PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH}};

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e4, "of the spring", .min = 0),
    PCM_REAL(Law, sticky, "Sticky", "N", 0.25, "pull of the surfaces", .min = 0),
};

static double sinkage(const void *law, const pcm_load *load) { return load->force / ((const Law *)law)->stiffness; }

static const pcm_derived derived[] = {{"Sinkage", "m", "depth under the load", sinkage}};

PCM_KERNELS(update);

PCM_MODEL(Elastic, "Sticky spring along the normal", .params = PCM_TABLE(params), .partials = PCM_TABLE(partials),
          .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH, .outputs = PCM_ENERGY | PCM_SHARES | PCM_PATCH_RADIUS,
          .flags = PCM_ISOTROPIC | PCM_PULLS);
