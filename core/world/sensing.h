/* SPDX-License-Identifier: MIT */
/* sensing.h - what can be measured at a contact. */
#ifndef PCM_WORLD_SENSING_H
#define PCM_WORLD_SENSING_H

#include "world.h"

/* What pcm_world_sense tells of a contact that is described. */
void pcm_world_measure(const pcm_world *world, const pcm_contact_info *info, pcm_sensing *sensing);

#endif
