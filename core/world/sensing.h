/* SPDX-License-Identifier: MIT */
/* sensing.h - measurements of a contact. */
#ifndef PCM_WORLD_SENSING_H
#define PCM_WORLD_SENSING_H

#include "world.h"

/* The measurements of a contact, from its description. */
void pcm_world_measure(const pcm_world *world, const pcm_contact_info *info, pcm_sensing *sensing);

#endif
