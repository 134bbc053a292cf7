/* SPDX-License-Identifier: MIT */
/* A plugin in which some bytes of tables and texts are changed: it is accepted, or rejected with one message. The
 * plugin is loaded once; each input changes a copy of its mapped memory, in which pointers into the plugin point into
 * the copy. */
#include "fuzz.h"
#include "library.h"
#include "loader.h"

#include <dlfcn.h>
#include <stdlib.h>

static pcm_mapping        mapping; /* describes the copy */
static const pcm_library *entry;   /* points into the copy */
static char              *sound, *copy;
static size_t             span;

/* The address sanitizer has put bytes between a plugin's objects, and would report that they are read. */
__attribute__((no_sanitize_address)) static void copy_segment(char *to, const volatile char *from, uint64_t size)
{
    for (uint64_t at = 0; at < size; at++)
        to[at] = from[at];
}

static void rebase(uintptr_t from)
{
    for (size_t at = 0; at + sizeof from <= span; at += sizeof from) {
        uintptr_t word;
        memcpy(&word, sound + at, sizeof word);
        word += word - from < span ? (uintptr_t)copy - from : 0;
        memcpy(sound + at, &word, sizeof word);
    }
}

static void load_sound(void)
{
    void *library = dlopen(SOUND_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    demand(library != NULL);
    mapping = pcm_plugin_mapping(library);
    demand(mapping.count > 1);
    const uintptr_t    from = mapping.segments[0].start;
    const pcm_segment *last = &mapping.segments[mapping.count - 1];
    span = last->start + last->size - from;
    sound = calloc(1, span);
    copy = calloc(1, span);
    demand(sound && copy);
    entry = (const pcm_library *)(void *)(copy + ((uintptr_t)dlsym(library, "pcm_entry") - from));
    for (uint32_t i = 0; i < mapping.count; i++) {
        pcm_segment *segment = &mapping.segments[i];
        const size_t at = segment->start - from;
        copy_segment(sound + at, (const char *)segment->start, segment->size);
        segment->start = (uintptr_t)copy + at;
    }
    rebase(from);
}

/* The bytes of a segment without code, chosen by any number i. */
static const pcm_segment *tables(uint32_t i)
{
    const pcm_segment *segment;
    do
        segment = &mapping.segments[i++ % mapping.count];
    while (segment->executable);
    return segment;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, data + size};
    if (!sound)
        load_sound();
    memcpy(copy, sound, span);
    const pcm_segment *edited = tables(fuzz_byte(&input));
    fuzz_edit(&input, (uint8_t *)edited->start, edited->size);
    pcm_context    *context = fuzz_context(NULL);
    const pcm_image image = {.context = context, .path = "Sound.so", .mapping = &mapping};
    pcm_model       model = {0};
    const bool      good = pcm_library_take(&image, entry, "Sound", &model);
    pcm_library_drop(context, &model);
    demand(good == (fuzz_heard[PCM_ERROR] == 0) && fuzz_heard[PCM_ERROR] <= 1);
    return 0;
}
