/* SPDX-License-Identifier: MIT */
/* thread_pool.h - the library's own threads, for worlds whose host asks for them. */
#ifndef PCM_BASE_THREAD_POOL_H
#define PCM_BASE_THREAD_POOL_H

#include "context_struct.h"

typedef struct pcm_pool pcm_pool;

/* threads - 1 threads, which work together with the caller's. NULL if the system gives none or there is no memory. */
pcm_pool *pcm_pool_new(pcm_context *context, uint32_t threads);
void      pcm_pool_free(pcm_context *context, pcm_pool *pool);

/* A pcm_runner: runs task(argument, i) for each i < count, at most the pool's threads, and returns when all are done.
 * Between runs workers spin for a while, then sleep. In a child of fork, which has no such threads, the caller's runs
 * all tasks. */
void pcm_pool_run(void *pool, pcm_task *task, void *argument, uint32_t count);

#endif
