/* SPDX-License-Identifier: MIT */
#include "thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

/* How often a waiting thread polls before it sleeps: for a few milliseconds, longer than a host takes between two
 * evaluations of a scene that is worth threads. After the first tens of microseconds it yields between polls. */
enum { LOOKS = 10000, PATIENCE = 2000 };

typedef struct worker {
    pcm_pool *pool;
    uint32_t  index;
    pthread_t thread;
} worker;

struct pcm_pool {
    size_t          bytes;
    uint32_t        workers; /* not counting the caller's thread */
    pid_t           owner;   /* the process that has the threads; a child of fork has none of them */
    pcm_task       *task;
    void           *argument;
    uint32_t        count;
    atomic_uint     round; /* counts runs */
    atomic_uint     busy;  /* workers that have not finished this round */
    atomic_bool     over;
    pthread_mutex_t mutex;
    pthread_cond_t  wake;
    worker          worker[];
};

/* Called between two polls. After a long wait it yields: the thread waited for may need the processor. */
static void relax(size_t looks)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
    if (looks > PATIENCE)
        sched_yield();
}

/* Waits until the round is no longer `seen`. */
static unsigned wait_round(pcm_pool *pool, unsigned seen)
{
    unsigned round = seen;
    for (size_t i = 0; i < LOOKS && round == seen; i++) {
        round = atomic_load_explicit(&pool->round, memory_order_acquire);
        relax(i);
    }
    if (round != seen)
        return round;
    pthread_mutex_lock(&pool->mutex);
    while ((round = atomic_load_explicit(&pool->round, memory_order_acquire)) == seen)
        pthread_cond_wait(&pool->wake, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    return round;
}

static void *work(void *argument)
{
    worker   *self = argument;
    pcm_pool *pool = self->pool;
    for (unsigned seen = 0;;) {
        seen = wait_round(pool, seen);
        if (atomic_load_explicit(&pool->over, memory_order_acquire))
            return NULL;
        if (self->index < pool->count)
            pool->task(pool->argument, self->index);
        atomic_fetch_sub_explicit(&pool->busy, 1, memory_order_release);
    }
}

/* Starts a round. Sleepers check it under the mutex, so that none misses it. */
static void start_round(pcm_pool *pool)
{
    atomic_store_explicit(&pool->busy, pool->workers, memory_order_relaxed);
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add_explicit(&pool->round, 1, memory_order_release);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

pcm_pool *pcm_pool_new(pcm_context *context, uint32_t threads)
{
    size_t    bytes = sizeof(pcm_pool) + (threads - 1) * sizeof(worker);
    pcm_pool *pool = pcm_allocate(context, bytes);
    if (!pool)
        return NULL;
    pool->bytes = bytes;
    pool->owner = getpid();
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    for (; pool->workers < threads - 1; pool->workers++) {
        worker *next = &pool->worker[pool->workers];
        *next = (worker){.pool = pool, .index = pool->workers + 1};
        if (pthread_create(&next->thread, NULL, work, next) != 0) {
            pcm_pool_free(context, pool);
            return NULL;
        }
    }
    return pool;
}

static bool has_threads(const pcm_pool *pool) { return pool->owner == getpid(); }

static void end_threads(pcm_pool *pool)
{
    atomic_store_explicit(&pool->over, true, memory_order_release);
    start_round(pool);
    for (uint32_t i = 0; i < pool->workers; i++)
        pthread_join(pool->worker[i].thread, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
}

void pcm_pool_free(pcm_context *context, pcm_pool *pool)
{
    if (!pool)
        return;
    if (has_threads(pool))
        end_threads(pool);
    pcm_free(context, pool, pool->bytes);
}

void pcm_pool_run(void *user, pcm_task *task, void *argument, uint32_t count)
{
    pcm_pool *pool = user;
    if (!has_threads(pool)) {
        for (uint32_t i = 0; i < count; i++)
            task(argument, i);
        return;
    }
    pool->task = task;
    pool->argument = argument;
    pool->count = count;
    start_round(pool);
    task(argument, 0);
    for (size_t looks = 0; atomic_load_explicit(&pool->busy, memory_order_acquire) > 0; looks++)
        relax(looks);
}
