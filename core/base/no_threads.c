/* SPDX-License-Identifier: MIT */
/* no_threads.c - replaces thread_pool.c in a build without threads: the only thread is the caller's. */
#include "thread_pool.h"

pcm_pool *pcm_pool_new(pcm_context *context, uint32_t threads)
{
    (void)context;
    (void)threads;
    return NULL;
}

void pcm_pool_free(pcm_context *context, pcm_pool *pool)
{
    (void)context;
    (void)pool;
}

void pcm_pool_run(void *pool, pcm_task *task, void *argument, uint32_t count)
{
    (void)pool;
    for (uint32_t i = 0; i < count; i++)
        task(argument, i);
}
