/* SPDX-License-Identifier: MIT */
/* commit.h - what a commit leaves for the next one. */
#ifndef PCM_WORLD_COMMIT_H
#define PCM_WORLD_COMMIT_H

#include "world.h"

/* Brings every group's least maxima up to date with the statistics of its contacts' rules. */
void pcm_world_note_least(pcm_world *world);

#endif
