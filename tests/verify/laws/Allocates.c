/* SPDX-License-Identifier: MIT */
/* It allocates in the loop. */
#include "spring.h"

#include <stdlib.h>

static void update(const pcm_batch *b)
{
    double *volatile taken = malloc(b->count * sizeof *taken); /* a compiler that recognises the calls removes them */
    double *room = taken;
    PCM_EACH(b, i) {
        room[i] = spring(b, i);
        b->force_n[i] = room[i];
    }
    free(room);
}

LAW(Allocates, .inputs = PCM_DEPTH);
