/* SPDX-License-Identifier: MIT */
/* lock.h - a mutex; nothing in a build without threads. */
#ifndef PCM_BASE_LOCK_H
#define PCM_BASE_LOCK_H

#if PCM_THREADS
#include <pthread.h>
typedef pthread_mutex_t pcm_lock;
static inline void      pcm_lock_start(pcm_lock *lock) { pthread_mutex_init(lock, NULL); }
static inline void      pcm_lock_end(pcm_lock *lock) { pthread_mutex_destroy(lock); }
static inline void      pcm_lock_take(pcm_lock *lock) { pthread_mutex_lock(lock); }
static inline void      pcm_lock_give(pcm_lock *lock) { pthread_mutex_unlock(lock); }
#else
typedef struct pcm_lock {
    char unused;
} pcm_lock;
static inline void pcm_lock_start(pcm_lock *lock) { (void)lock; }
static inline void pcm_lock_end(pcm_lock *lock) { (void)lock; }
static inline void pcm_lock_take(pcm_lock *lock) { (void)lock; }
static inline void pcm_lock_give(pcm_lock *lock) { (void)lock; }
#endif

#endif
