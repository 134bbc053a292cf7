/* SPDX-License-Identifier: MIT */
/* watch.h - detects mistakes of hosts and laws from commit to commit: normals that point backwards, a clock that does
 * not advance by the steps, depths that cannot be metres, laws that create energy, worlds that never commit.
 *
 * One contact of each type is watched at a time, from the commit that makes it to the one that ends it: such mistakes
 * affect mostly all contacts, and the cost does not grow with their number. */
#ifndef PCM_WORLD_WATCH_H
#define PCM_WORLD_WATCH_H

#include "world.h"

/* At a commit, before contacts are removed and committed_time advances. Each mistake is reported once for a type, or
 * for the world's clock. */
void pcm_world_watch(pcm_world *world);

/* Reports, once for a type, that a row has been touched in this evaluation already, at another point. */
void pcm_world_tell_feature(pcm_world *world, pcm_group *group, size_t row);

/* Counts an update, which may be committed or not. */
void pcm_world_watch_update(pcm_world *world);

/* Call it when the world is closed. */
void pcm_world_report_uncommitted(const pcm_world *world);

#endif
