/* SPDX-License-Identifier: MIT */
/* arena.h - memory that is allocated piece by piece and freed all at once. */
#ifndef PCM_GRAMMAR_ARENA_H
#define PCM_GRAMMAR_ARENA_H

#include <pcm/pcm.h>

typedef struct pcm_arena {
    pcm_allocator           allocator;
    struct pcm_arena_block *blocks;     /* newest first */
    char                   *free, *end; /* the unused part of the newest */
} pcm_arena;

/* Zeroed memory, aligned for every type; NULL if there is none. */
void *pcm_arena_take(pcm_arena *arena, size_t bytes);

/* A copy of the text, NUL-terminated. */
char *pcm_arena_text(pcm_arena *arena, const char *text, size_t length);

void pcm_arena_free(pcm_arena *arena);

#endif
