/* SPDX-License-Identifier: MIT */
/* thread_pool.h - threads of our own, for worlds whose host asks for them. */
#ifndef PCM_BASE_THREAD_POOL_H
#define PCM_BASE_THREAD_POOL_H

#include "context_struct.h"

typedef struct pcm_pool pcm_pool;

/* Threads that, with the caller's, make `threads`; NULL where the system gives none or there is no memory. */
pcm_pool *pcm_pool_new(pcm_context *context, uint32_t threads);
void      pcm_pool_free(pcm_context *context, pcm_pool *pool);

/* A pcm_runner: runs task(argument, i) for i < count, which is at most the pool's threads, and returns when all are
 * done. Workers spin for a while between runs, and sleep after that. */
void pcm_pool_run(void *pool, pcm_task *task, void *argument, uint32_t count);

#endif
