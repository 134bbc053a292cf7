/* SPDX-License-Identifier: MIT */
/* A spring whose damper pushes while the bodies part, so that it returns more energy than it took. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, gain;
} Law;

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double pressed = pcm_ramp(b->depth[i]);
        b->force_n[i] = pressed * (law.stiffness + law.gain * pcm_ramp(-b->depth_rate[i]));
        b->energy[i] = 0.5 * law.stiffness * pressed * pressed;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e4, "force per metre of penetration", .min = 0),
    PCM_REAL(Law, gain, "Gain", "N*s/m^2", 1e4, "of the push, per metre of penetration", .min = 0),
};

PCM_KERNELS(update);
PCM_MODEL(Lively, "A spring that gives more than it took", .params = PCM_TABLE(params),
          .inputs = PCM_DEPTH | PCM_DEPTH_RATE, .outputs = PCM_ENERGY, .flags = PCM_ISOTROPIC);
