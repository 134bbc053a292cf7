/* SPDX-License-Identifier: MIT */
/* The indicator of its release falls where it begins to push. */
#include "spring.h"

static const pcm_event events[] = {{.name = "release", .doc = "it ends to push", .direction = -1}};

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double d = b->depth[i] - 5e-4;
        b->force_n[i] = 1e4 * pcm_ramp(d);
        b->event[0][i] = -d;
    }
}

LAW(WrongRelease, .inputs = PCM_DEPTH, .events = PCM_TABLE(events));
