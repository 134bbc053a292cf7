/* SPDX-License-Identifier: MIT */
#include "context_struct.h"
#include "builtin.h"
#include "isa.h"
#include "library.h"
#include "search_path.h"
#include <pcm/messages.h>

#include <stdlib.h>

/* Blocks of LARGE bytes and more come zeroed from the system and are not cleared again: the first access to a page
 * costs more than the rest. The address that the C library returned is stored in front of the block. */
enum { PCM_ALIGNMENT = 64, LARGE = 4 << 20 };

static void *allocate_large(size_t bytes)
{
    char *whole = calloc(1, bytes + PCM_ALIGNMENT);
    if (!whole)
        return NULL;
    char *memory = whole + PCM_ALIGNMENT - (uintptr_t)whole % PCM_ALIGNMENT;
    memcpy(memory - sizeof whole, &whole, sizeof whole);
    return memory;
}

static void *default_allocate(void *user, size_t bytes)
{
    (void)user;
    if (bytes > PTRDIFF_MAX - PCM_ALIGNMENT) /* more than any block can have */
        return NULL;
    if (bytes >= LARGE)
        return allocate_large(bytes);
    void *memory = aligned_alloc(PCM_ALIGNMENT, (bytes + PCM_ALIGNMENT - 1) / PCM_ALIGNMENT * PCM_ALIGNMENT);
    return memory ? memset(memory, 0, bytes) : NULL;
}

static void default_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    void *whole = memory;
    if (memory && bytes >= LARGE)
        memcpy(&whole, (char *)memory - sizeof whole, sizeof whole);
    free(whole);
}

void pcm_context_defaults_into(pcm_context_def *def, size_t size)
{
    const pcm_context_def defaults = {.size = sizeof defaults, .isa = pcm_isa_here()};
    pcm_info_fill(NULL, NULL, def, size, &defaults);
}

/* Fills the defaults with the definition; reports to the definition's own sink why it cannot. */
static bool take_def(pcm_context_def *used, const pcm_context_def *def)
{
    *used = pcm_context_defaults();
    if (!def)
        return true;
    pcm_context voice = {.allocator = {NULL, default_allocate, default_release},
                         .zeroed = true,
                         .sink = def->sink,
                         .sink_user = def->sink_user};
    if (!pcm_def_fill(&voice, "pcm_context_def", used, def))
        return false;
    if (!used->allocator.allocate == !used->allocator.release)
        return true;
    pcm_report(&voice, PCM_ERROR, PCM_MSG_CONTEXT_DEF,
               "the pcm_context_def has half an allocator; give both functions");
    return false;
}

pcm_context *pcm_context_new(const pcm_context_def *def)
{
    pcm_context_def used;
    if (!take_def(&used, def))
        return NULL;
    const bool own = !used.allocator.allocate;
    if (own)
        used.allocator = (pcm_allocator){NULL, default_allocate, default_release};
    const uint32_t here = pcm_isa_here();

    pcm_context made = {.allocator = used.allocator,
                        .zeroed = own,
                        .sink = used.sink,
                        .sink_user = used.sink_user,
                        .flags = used.flags,
                        .isa = used.isa < here ? used.isa : here};
    made.plugin_path = pcm_search_path_new(&made, used.plugin_path);
    pcm_context *context = made.plugin_path ? pcm_allocate(&made, sizeof *context) : NULL;
    if (context)
        *context = made;
    else
        pcm_report(&made, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a context");
    if (!context && made.plugin_path)
        pcm_free(&made, made.plugin_path, strlen(made.plugin_path) + 1);
    if (!context || pcm_builtin_add(context, used.builtin, used.n_builtin))
        return context;
    pcm_context_free(context);
    return NULL;
}

void pcm_context_free(pcm_context *context)
{
    if (!context)
        return;
    while (context->loaded) {
        pcm_loaded *loaded = context->loaded;
        context->loaded = loaded->next;
        pcm_loaded_free(context, loaded);
    }
    pcm_free(context, context->plugin_path, strlen(context->plugin_path) + 1);
    pcm_free(context, context, sizeof *context);
}
