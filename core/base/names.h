/* SPDX-License-Identifier: MIT */
/* names.h - interned names: each different text is stored once and has a number 0, 1, 2 ... */
#ifndef PCM_BASE_NAMES_H
#define PCM_BASE_NAMES_H

#include <pcm/pcm.h>

#define PCM_NO_NAME UINT32_MAX

typedef struct pcm_name {
    uint32_t hash, place; /* place of the text: its chunk and its offset there */
} pcm_name;

/* Texts and entries never move once they are added: texts are in chunks, entries in pages. */
typedef struct pcm_names {
    pcm_allocator allocator;
    pcm_name    **pages;
    char        **chunks; /* chunks of NUL-terminated texts; the last is filled up to chunk_used */
    uint32_t     *slots;  /* number + 1; open addressing */
    uint64_t      key[2]; /* secret key of the hash function */
    uint32_t      count, n_slots;
    uint32_t      page_capacity, chunk_capacity, n_chunks, chunk_used;
} pcm_names;

/* The number of a text, added if it is new: at most 65000 bytes, without NULs. PCM_NO_NAME if there is no memory. */
uint32_t pcm_names_add(pcm_names *names, const char *text, size_t length);

/* The number of a text, or PCM_NO_NAME if it is not present. */
uint32_t pcm_names_find(const pcm_names *names, const char *text, size_t length);

void pcm_names_free(pcm_names *names);

enum { PCM_NAMES_PAGE = 512 };

static inline const pcm_name *pcm_names_at(const pcm_names *names, uint32_t number)
{
    return &names->pages[number / PCM_NAMES_PAGE][number % PCM_NAMES_PAGE];
}

static inline const char *pcm_names_text(const pcm_names *names, uint32_t number)
{
    uint32_t place = pcm_names_at(names, number)->place;
    return names->chunks[place >> 16] + (place & 0xffff);
}

#endif
