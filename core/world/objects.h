/* SPDX-License-Identifier: MIT */
/* objects.h - the objects of a world. */
#ifndef PCM_WORLD_OBJECTS_H
#define PCM_WORLD_OBJECTS_H

#include "world.h"

/* At a commit: no object is fresh any more. */
void pcm_world_age(pcm_world *world);

/* For a world that closes: the memory of its objects. */
void pcm_world_free_objects(pcm_world *world);

#endif
