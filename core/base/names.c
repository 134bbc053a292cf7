/* SPDX-License-Identifier: MIT */
#include "names.h"

enum { FEWEST = 16, SMALLEST_CHUNK = 1 << 10, LARGEST_CHUNK = 1 << 16 };

/* Eight bytes at a time, each folded in by a multiplication (the constants are those of splitmix64). */
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

static void *take(pcm_names *names, size_t bytes) { return names->allocator.allocate(names->allocator.user, bytes); }

static void release(pcm_names *names, void *memory, size_t bytes)
{
    if (memory != NULL)
        names->allocator.release(names->allocator.user, memory, bytes);
}

/* Room for one more pointer in a list that doubles. */
static void **grow_list(pcm_names *names, void **list, uint32_t count, uint32_t *capacity)
{
    if (count < *capacity)
        return list;
    uint32_t more = *capacity == 0 ? FEWEST : 2 * *capacity;
    void   **grown = take(names, more * sizeof *grown);
    if (grown == NULL)
        return NULL;
    if (count > 0)
        memcpy(grown, list, count * sizeof *grown);
    release(names, list, *capacity * sizeof *grown);
    *capacity = more;
    return grown;
}

static bool grow_slots(pcm_names *names)
{
    uint32_t  n_slots = names->n_slots == 0 ? FEWEST : 2 * names->n_slots;
    uint32_t *slots = take(names, n_slots * sizeof *slots);
    if (slots == NULL)
        return false;
    memset(slots, 0, n_slots * sizeof *slots);
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t at = pcm_names_at(names, i)->hash;
        while (slots[at & (n_slots - 1)] != 0)
            at++;
        slots[at & (n_slots - 1)] = i + 1;
    }
    release(names, names->slots, names->n_slots * sizeof *slots);
    names->slots = slots;
    names->n_slots = n_slots;
    return true;
}

/* Chunks double, so that few names take little. */
static size_t chunk_bytes(uint32_t chunk) { return chunk < 6 ? (size_t)SMALLEST_CHUNK << chunk : LARGEST_CHUNK; }

/* Copies the text; false without memory. A long text skips chunks that are too small for it. */
static bool keep_text(pcm_names *names, const char *text, size_t length, uint32_t *place)
{
    while (names->n_chunks == 0 || names->chunk_used + length + 1 > chunk_bytes(names->n_chunks - 1)) {
        char **chunks = (char **)grow_list(names, (void **)names->chunks, names->n_chunks, &names->chunk_capacity);
        if (chunks == NULL)
            return false;
        names->chunks = chunks;
        chunks[names->n_chunks] = take(names, chunk_bytes(names->n_chunks));
        if (chunks[names->n_chunks] == NULL)
            return false;
        names->n_chunks++;
        names->chunk_used = 0;
    }
    *place = (names->n_chunks - 1) << 16 | names->chunk_used;
    char *copy = names->chunks[names->n_chunks - 1] + names->chunk_used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    names->chunk_used += (uint32_t)length + 1;
    return true;
}

static bool add_page(pcm_names *names)
{
    uint32_t   page = names->count / PCM_NAMES_PAGE;
    pcm_name **pages = (pcm_name **)grow_list(names, (void **)names->pages, page, &names->page_capacity);
    if (pages == NULL)
        return false;
    names->pages = pages;
    pages[page] = take(names, PCM_NAMES_PAGE * sizeof **pages);
    return pages[page] != NULL;
}

/* The slot of the text, or the free one where it belongs. */
static uint32_t *find_slot(const pcm_names *names, const char *text, size_t length, uint32_t hash)
{
    for (uint32_t i = hash;; i++) {
        uint32_t *slot = &names->slots[i & (names->n_slots - 1)];
        if (*slot == 0)
            return slot;
        if (pcm_names_at(names, *slot - 1)->hash != hash)
            continue;
        const char *known = pcm_names_text(names, *slot - 1);
        if (strncmp(known, text, length) == 0 && known[length] == '\0')
            return slot;
    }
}

uint32_t pcm_names_add(pcm_names *names, const char *text, size_t length)
{
    uint32_t hash = hash_of(text, length), place;
    if (names->count >= names->n_slots / 3 * 2 && !grow_slots(names))
        return PCM_NO_NAME;
    uint32_t *slot = find_slot(names, text, length, hash);
    if (*slot != 0)
        return *slot - 1;
    bool page_due = names->count % PCM_NAMES_PAGE == 0;
    if (!keep_text(names, text, length, &place) || (page_due && !add_page(names)))
        return PCM_NO_NAME;
    names->pages[names->count / PCM_NAMES_PAGE][names->count % PCM_NAMES_PAGE] = (pcm_name){hash, place};
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
    for (uint32_t i = 0; i < (names->count + PCM_NAMES_PAGE - 1) / PCM_NAMES_PAGE; i++)
        release(names, names->pages[i], PCM_NAMES_PAGE * sizeof **names->pages);
    for (uint32_t i = 0; i < names->n_chunks; i++)
        release(names, names->chunks[i], chunk_bytes(i));
    release(names, names->pages, names->page_capacity * sizeof *names->pages);
    release(names, names->chunks, names->chunk_capacity * sizeof *names->chunks);
    release(names, names->slots, names->n_slots * sizeof *names->slots);
}
