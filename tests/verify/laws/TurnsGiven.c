/* SPDX-License-Identifier: MIT */
/* It declares PCM_ISOTROPIC, but adds the two components of a host input. */
#include "spring.h"

static const pcm_host_input given[] = {{.name = "drift", .unit = "m/s", .doc = "of the surface", .shape = PCM_TANGENT}};

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double drift = b->host_inputs[0][i] + b->host_inputs[1][i];
        const double share = -0.1 * spring(b, i) / (1 + pcm_abs(drift) + pcm_length(b->slip_x[i], b->slip_y[i]));
        b->force_n[i] = spring(b, i);
        b->force_x[i] = share * b->slip_x[i];
        b->force_y[i] = share * b->slip_y[i];
    }
}

LAW(TurnsGiven, .inputs = PCM_DEPTH | PCM_SLIP, .outputs = PCM_FRICTION, .host_inputs = PCM_TABLE(given),
    .flags = PCM_ISOTROPIC);
