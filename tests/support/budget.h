/* SPDX-License-Identifier: MIT */
/* budget.h - an allocator that fails when it is told to, once or for good, and knows what was not given back. */
#ifndef PCM_TESTS_BUDGET_H
#define PCM_TESTS_BUDGET_H

#include <pcm/pcm.h>
#include <stdlib.h>

typedef struct budget {
    _Atomic size_t    calls;   /* that still succeed */
    bool              once;    /* the one that fails is followed by others that succeed */
    _Atomic size_t    refused; /* that failed */
    _Atomic ptrdiff_t bytes;   /* not given back */
} budget;

static inline void *budget_spend(void *user, size_t bytes)
{
    budget *b = user;
    if (b->calls == 0) {
        b->refused++;
        b->calls = b->once ? SIZE_MAX : 0;
        return NULL;
    }
    b->calls--;
    b->bytes += (ptrdiff_t)bytes;
    return aligned_alloc(64, (bytes + 63) & ~(size_t)63);
}

static inline void budget_refund(void *user, void *memory, size_t bytes)
{
    if (memory)
        ((budget *)user)->bytes -= (ptrdiff_t)bytes;
    free(memory);
}

static inline pcm_allocator budget_allocator(budget *b) { return (pcm_allocator){b, budget_spend, budget_refund}; }

#endif
