/* SPDX-License-Identifier: MIT */
/* A spring with viscous friction that breaks for good beyond a depth. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, damping, limit;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = pcm_max(law.stiffness * b->depth[i] + law.damping * b->depth_rate[i], 0);
        b->force_x[i] = b->depth[i] > 0 ? -law.damping * b->slip_x[i] : 0;
        b->force_y[i] = b->depth[i] > 0 ? -law.damping * b->slip_y[i] : 0;
        b->life[i] = b->depth[i] > law.limit ? PCM_BROKEN : PCM_LIVE;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e4, "force per metre of penetration", .min = 0),
    PCM_REAL(Law, damping, "Damping", "N*s/m", 10, "force per m/s", .min = 0),
    PCM_REAL(Law, limit, "Limit", "m", 1, "the depth at which it lets go"),
};

PCM_KERNELS(update);
PCM_MODEL(Spring, "A spring with viscous friction that lets go for good beyond a depth", .params = PCM_TABLE(params),
          .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP, .outputs = PCM_FRICTION | PCM_LIFE, .flags = PCM_ISOTROPIC);
