/* SPDX-License-Identifier: MIT */
#include "guard.h"
#include <pcm/messages.h>

pcm_status pcm_world_turn_away(const pcm_world *world, const char *call)
{
    if (!world)
        return PCM_BAD_ARGUMENT;
    if (!atomic_load_explicit(&world->inside, memory_order_relaxed))
        return pcm_world_reject(world, PCM_BAD_ARGUMENT, call, "a pointer that it needs is NULL");
    pcm_report(world->context, PCM_ERROR, PCM_MSG_WORLD_BUSY,
               "%s: another call on this world is going on: use a world from one thread at a time, and call nothing on "
               "it from its callbacks",
               call);
    return PCM_BUSY;
}

pcm_status pcm_world_reject(const pcm_world *world, pcm_status status, const char *call, const char *reason)
{
    pcm_report(world->context, PCM_ERROR, PCM_MSG_BAD_CALL, "%s: %s", call, reason);
    return status;
}
