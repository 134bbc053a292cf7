/* SPDX-License-Identifier: MIT */
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, damping;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i)
        b->force_n[i] = pcm_max(law.stiffness * b->depth[i] + law.damping * b->depth_rate[i], 0);
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "force per metre of penetration", .min = 0),
    PCM_REAL(Law, damping, "Damping", "N*s/m", 100, "force per m/s of approach", .min = 0),
};

PCM_KERNELS(update);
PCM_MODEL(LinearSpring, "Linear spring and damper that never pulls", .params = PCM_TABLE(params),
          .inputs = PCM_DEPTH | PCM_DEPTH_RATE, .flags = PCM_JUMPS);
