/* SPDX-License-Identifier: MIT */
/* commit.h - thresholds that a commit leaves for the next one. */
#ifndef PCM_WORLD_COMMIT_H
#define PCM_WORLD_COMMIT_H

#include "world.h"

/* Updates every group's smallest maxima from the statistics of its contacts' rules. */
void pcm_world_note_least(pcm_world *world);

#endif
