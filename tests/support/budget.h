/* SPDX-License-Identifier: MIT */
/* budget.h - an allocator that fails on request, once or for good, and counts the memory that was not freed. */
#ifndef PCM_TESTS_BUDGET_H
#define PCM_TESTS_BUDGET_H

#include <pcm/pcm.h>
#include <stdlib.h>

typedef struct budget {
    _Atomic size_t    calls;   /* allocations that still succeed */
    bool              once;    /* only one allocation fails */
    _Atomic size_t    refused; /* allocations that failed */
    _Atomic ptrdiff_t bytes;   /* not freed */
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
