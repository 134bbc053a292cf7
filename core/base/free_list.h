/* SPDX-License-Identifier: MIT */
/* free_list.h - elements of an array that are free for reuse.
 *
 * A free element holds the link to the next one in one of its own uint32_t fields: `links` is the address of element
 * 0's, and `stride` the size of an element. Nothing is allocated, so freeing an element cannot fail. */
#ifndef PCM_BASE_FREE_LIST_H
#define PCM_BASE_FREE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pcm_free_list {
    uint32_t first; /* 1 + index; 0: none is free */
} pcm_free_list;

static inline uint32_t *pcm_free_list_link(void *links, size_t stride, uint32_t index)
{
    return (uint32_t *)(void *)((char *)links + index * stride);
}

static inline void pcm_free_list_put(pcm_free_list *list, void *links, size_t stride, uint32_t index)
{
    *pcm_free_list_link(links, stride, index) = list->first;
    list->first = index + 1;
}

/* The index of an element to use: a free one, or a new one after the *count existing ones. There must be room for
 * it. */
static inline uint32_t pcm_free_list_take(pcm_free_list *list, void *links, size_t stride, size_t *count)
{
    if (list->first == 0)
        return (uint32_t)(*count)++;
    uint32_t index = list->first - 1;
    list->first = *pcm_free_list_link(links, stride, index);
    return index;
}

#endif
