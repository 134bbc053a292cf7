/* SPDX-License-Identifier: MIT */
/* It allocates in the loop. */
#include "spring.h"

#include <stdlib.h>

static void update(const pcm_batch *b)
{
    double *room = malloc(b->count * sizeof *room);
    PCM_EACH(b, i) {
        room[i] = spring(b, i);
        b->force_n[i] = room[i];
    }
    free(room);
}

LAW(Allocates, .inputs = PCM_DEPTH);
