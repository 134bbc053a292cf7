/* SPDX-License-Identifier: MIT */
#include "names.h"
#include "hash_index.h"

enum { FEWEST = 16, SMALLEST_CHUNK = 1 << 10, LARGEST_CHUNK = 1 << 16 };

static uint64_t turn(uint64_t word, int by) { return word << by | word >> (64 - by); }

static void mix(uint64_t v[4])
{
    v[0] += v[1], v[2] += v[3];
    v[1] = turn(v[1], 13) ^ v[0], v[3] = turn(v[3], 16) ^ v[2];
    v[0] = turn(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = turn(v[1], 17) ^ v[2], v[3] = turn(v[3], 21) ^ v[0];
    v[2] = turn(v[2], 32);
}

/* SipHash-1-3 with a secret key, so that nobody can choose names whose hashes collide. */
static uint32_t hash_of(const pcm_names *names, const char *text, size_t length)
{
    const uint64_t *key = names->key, size = length;
    uint64_t        v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                            key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    for (bool more = true; more; text += 8) {
        uint64_t word = 0;
        size_t   bytes = length < 8 ? length : 8;
        memcpy(&word, text, bytes);
        more = bytes == 8;
        word |= more ? 0 : size << 56;
        length -= bytes;
        v[3] ^= word;
        mix(v);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        mix(v);
    return (uint32_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}

static void *take(pcm_names *names, size_t bytes) { return names->allocator.allocate(names->allocator.user, bytes); }

static void release(pcm_names *names, void *memory, size_t bytes)
{
    if (memory != NULL)
        names->allocator.release(names->allocator.user, memory, bytes);
}

/* Room for one more pointer in a list that doubles as it grows. */
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

/* Chunks double in size, so that a few names take little memory. */
static size_t chunk_bytes(uint32_t chunk) { return chunk < 6 ? (size_t)SMALLEST_CHUNK << chunk : LARGEST_CHUNK; }

/* Copies the text; false if there is no memory. A long text skips chunks that are too small for it. */
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
    if (names->n_slots == 0)
        names->key[0] = pcm_hash_secret(), names->key[1] = pcm_hash_secret();
    uint32_t hash = hash_of(names, text, length), place;
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
    return *find_slot(names, text, length, hash_of(names, text, length)) - 1; /* 0 - 1 is PCM_NO_NAME */
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
