/* SPDX-License-Identifier: MIT */
/* A spring that pulls the follower's point to the base's origin, in the base's own axes; the base must be fixed. */
#include <pcm/plugin.h>

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_x[i] = -100 * b->x[i] - b->velocity_x[i];
        b->force_y[i] = -200 * b->y[i] - b->velocity_y[i];
        b->force_n[i] = -300 * b->z[i] - b->velocity_z[i];
    }
}

PCM_KERNELS(update);
PCM_MODEL(Corner, "A spring to the origin of a fixed base", .inputs = PCM_POSITION | PCM_VELOCITY,
          .outputs = PCM_FRICTION, .flags = PCM_BASE_AXES | PCM_BASE_FIXED | PCM_PULLS);
