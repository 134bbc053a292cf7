/* SPDX-License-Identifier: MIT */
/* The indicator of its touch-down falls where it should rise, and that of its release rises where it should fall. */
#include "spring.h"

static const pcm_event events[] = {{.name = "touch-down", .doc = "it begins to push", .direction = 1},
                                   {.name = "release", .doc = "it ends to push", .direction = -1}};

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double d = b->depth[i] - 5e-4;
        b->force_n[i] = 1e4 * pcm_ramp(d);
        b->mode[i] = d > 0 ? PCM_SLIPPING : PCM_SEPARATED;
        b->event[0][i] = -d;
        b->event[1][i] = d;
    }
}

LAW(WrongWay, .inputs = PCM_DEPTH, .outputs = PCM_MODE, .events = PCM_TABLE(events));
