/* SPDX-License-Identifier: MIT */
/* A spring whose stiffness is not in the table of parameters: it is 0. */
#include <pcm/plugin.h>

typedef struct Law {
    double stiffness, damping;
} Law;

static const pcm_param params[] = {PCM_REAL(Law, damping, "Damping", "N*s/m", 10, "force per m/s at a depth of 1 m")};

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        b->force_n[i] = pcm_ramp(law.stiffness * b->depth[i] * (1 + law.damping * b->depth_rate[i]));
    }
}

PCM_KERNELS(update);
PCM_MODEL(ForgotParam, "ForgotParam", .params = PCM_TABLE(params), .inputs = PCM_DEPTH | PCM_DEPTH_RATE);
