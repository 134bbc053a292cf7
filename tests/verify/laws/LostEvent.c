/* SPDX-License-Identifier: MIT */
/* Its event is a millimetre away from the change of mode. */
#include "spring.h"

static const pcm_event events[] = {{.name = "touch-down", .doc = "it begins to push", .direction = 1}};

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        const double d = b->depth[i] - 5e-4;
        b->force_n[i] = 1e4 * pcm_ramp(d);
        b->mode[i] = d > 0 ? PCM_SLIPPING : PCM_SEPARATED;
        b->event[0][i] = d - 1e-3;
    }
}

LAW(LostEvent, .inputs = PCM_DEPTH, .outputs = PCM_MODE, .events = PCM_TABLE(events));
