/* SPDX-License-Identifier: MIT */
/* guard.h - checks at the start of every call on a world: that the world is not NULL, that no other call is running in
 * it, and that no pointer that the call needs is NULL.
 *
 * Calls that take long, or use the world's scratch, mark the world from enter to leave. Short [hot] calls only check
 * the mark, since an atomic exchange would cost more than the calls themselves. So a call during a long one is
 * detected, and a call during a short one is not. */
#ifndef PCM_WORLD_GUARD_H
#define PCM_WORLD_GUARD_H

#include "world.h"

/* Reports why the call is rejected, and returns the status that says so: PCM_BAD_ARGUMENT or PCM_BUSY. */
pcm_status pcm_world_turn_away(const pcm_world *world, const char *call);

/* Reports that a call is invalid, with the reason, and returns the status. */
pcm_status pcm_world_reject(const pcm_world *world, pcm_status status, const char *call, const char *reason);

/* PCM_OK: the call may go on. has_all: no pointer that it needs is NULL. call: its name. */
static inline pcm_status pcm_world_admit(const pcm_world *world, bool has_all, const char *call)
{
    if (world && has_all && !atomic_load_explicit(&world->inside, memory_order_relaxed))
        return PCM_OK;
    return pcm_world_turn_away(world, call);
}

/* The same for a call that marks the world until it leaves, and that only reads contacts: evaluations in the scratch
 * stay cached (pcm_world_look). */
static inline pcm_status pcm_world_enter_to_look(pcm_world *world, bool has_all, const char *call)
{
    if (world && has_all && !atomic_exchange_explicit(&world->inside, true, memory_order_acquire))
        return PCM_OK;
    return pcm_world_turn_away(world, call);
}

/* For a call that may change the world. */
static inline pcm_status pcm_world_enter(pcm_world *world, bool has_all, const char *call)
{
    const pcm_status status = pcm_world_enter_to_look(world, has_all, call);
    if (status == PCM_OK)
        world->looked.count = 0;
    return status;
}

static inline void pcm_world_leave(pcm_world *world)
{
    atomic_store_explicit(&world->inside, false, memory_order_release);
}

#endif
