/* SPDX-License-Identifier: MIT */
#include "names.h"

enum { FEWEST_SLOTS = 64, FEWEST_PAGES = 4 };

/* Eight bytes at a time, each folded in by a multiplication (the finaliser's constants are those of splitmix64). */
static uint32_t hash_of(const char *text, size_t length)
{
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15);
    for (; length > 0; text += 8) {
        uint64_t word = 0;
        size_t   bytes = length < 8 ? length : 8;
        memcpy(&word, text, bytes);
        hash = (hash ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
        hash ^= hash >> 29;
        length -= bytes;
    }
    hash *= UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(hash >> 32);
}

/* The slot of the text, or the free one where it belongs. */
static uint32_t *find_slot(const pcm_names *names, const char *text, size_t length, uint32_t hash)
{
    for (uint32_t i = hash;; i++) {
        uint32_t *slot = &names->slots[i & (names->n_slots - 1)];
        if (*slot == 0)
            return slot;
        const pcm_name *name = pcm_names_at(names, *slot - 1);
        if (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0)
            return slot;
    }
}

static bool grow_slots(pcm_names *names)
{
    pcm_allocator *allocator = &names->arena->allocator;
    uint32_t       n_slots = names->n_slots == 0 ? FEWEST_SLOTS : 2 * names->n_slots;
    uint32_t      *slots = allocator->allocate(allocator->user, n_slots * sizeof *slots);
    if (slots == NULL)
        return false;
    memset(slots, 0, n_slots * sizeof *slots);
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t at = pcm_names_at(names, i)->hash;
        while (slots[at & (n_slots - 1)] != 0)
            at++;
        slots[at & (n_slots - 1)] = i + 1;
    }
    if (names->slots != NULL)
        allocator->release(allocator->user, names->slots, names->n_slots * sizeof *slots);
    names->slots = slots;
    names->n_slots = n_slots;
    return true;
}

static bool add_page(pcm_names *names)
{
    pcm_allocator *allocator = &names->arena->allocator;
    uint32_t       page = names->count / PCM_NAMES_PAGE;
    if (page == names->page_capacity) {
        uint32_t   capacity = page == 0 ? FEWEST_PAGES : 2 * page;
        pcm_name **pages = allocator->allocate(allocator->user, capacity * sizeof *pages);
        if (pages == NULL)
            return false;
        if (page > 0) {
            memcpy(pages, names->pages, page * sizeof *pages);
            allocator->release(allocator->user, names->pages, page * sizeof *pages);
        }
        names->pages = pages;
        names->page_capacity = capacity;
    }
    names->pages[page] = pcm_arena_take(names->arena, PCM_NAMES_PAGE * sizeof(pcm_name));
    return names->pages[page] != NULL;
}

uint32_t pcm_names_add(pcm_names *names, const char *text, size_t length)
{
    uint32_t hash = hash_of(text, length);
    if (names->count >= names->n_slots / 3 * 2 && !grow_slots(names))
        return PCM_NO_NAME;
    uint32_t *slot = find_slot(names, text, length, hash);
    if (*slot != 0)
        return *slot - 1;
    if (names->count % PCM_NAMES_PAGE == 0 && !add_page(names))
        return PCM_NO_NAME;
    const char *copy = pcm_arena_text(names->arena, text, length);
    if (copy == NULL)
        return PCM_NO_NAME;
    names->pages[names->count / PCM_NAMES_PAGE][names->count % PCM_NAMES_PAGE] =
        (pcm_name){copy, hash, (uint32_t)length};
    *slot = ++names->count;
    return names->count - 1;
}

uint32_t pcm_names_find(const pcm_names *names, const char *text, size_t length)
{
    if (names->n_slots == 0)
        return PCM_NO_NAME;
    return *find_slot(names, text, length, hash_of(text, length)) - 1; /* 0 - 1 is PCM_NO_NAME */
}

void pcm_names_free(pcm_names *names)
{
    pcm_allocator *allocator = &names->arena->allocator;
    if (names->pages != NULL)
        allocator->release(allocator->user, names->pages, names->page_capacity * sizeof *names->pages);
    if (names->slots != NULL)
        allocator->release(allocator->user, names->slots, names->n_slots * sizeof *names->slots);
    names->pages = NULL;
    names->slots = NULL;
}
