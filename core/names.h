/* SPDX-License-Identifier: MIT */
/* names.h - names as small numbers: each different text once, numbered 0, 1, 2 ... */
#ifndef PCM_CORE_NAMES_H
#define PCM_CORE_NAMES_H

#include "arena.h"

#define PCM_NO_NAME UINT32_MAX

typedef struct pcm_name {
    const char *text;
    uint32_t    hash, length;
} pcm_name;

typedef struct pcm_names {
    pcm_arena *arena; /* holds texts and pages */
    pcm_name **pages;
    uint32_t  *slots; /* number + 1; open addressing */
    uint32_t   count, n_slots, page_capacity;
} pcm_names;

/* The number of a text; PCM_NO_NAME when there is no memory. */
uint32_t pcm_names_add(pcm_names *names, const char *text, size_t length);

/* PCM_NO_NAME when the text is not among them. */
uint32_t pcm_names_find(const pcm_names *names, const char *text, size_t length);

void pcm_names_free(pcm_names *names); /* what is not the arena's */

enum { PCM_NAMES_PAGE = 512 };
static inline const pcm_name *pcm_names_at(const pcm_names *names, uint32_t number)
{
    return &names->pages[number / PCM_NAMES_PAGE][number % PCM_NAMES_PAGE];
}

#endif
