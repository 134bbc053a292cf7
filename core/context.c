/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* secure_getenv */
#include "context.h"
#include "isa.h"
#include "loader.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <stdlib.h>

enum { PCM_ALIGNMENT = 64 };

static void *default_allocate(void *user, size_t bytes)
{
    (void)user;
    if (bytes > SIZE_MAX - PCM_ALIGNMENT)
        return NULL;
    return aligned_alloc(PCM_ALIGNMENT, (bytes + PCM_ALIGNMENT - 1) / PCM_ALIGNMENT * PCM_ALIGNMENT);
}

static void default_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

void pcm_context_defaults_into(pcm_context_def *def, size_t size)
{
    const pcm_context_def defaults = {.size = sizeof defaults, .isa = pcm_isa_here()};
    pcm_info_fill(NULL, NULL, def, size, &defaults);
}

/* The directories of the definition, the environment and the installation as one text in the context's memory. */
static char *search_path(pcm_context *context, const char *given)
{
    const bool   defaults = !(context->flags & PCM_NO_DEFAULT_PATHS);
    const char  *environment = defaults ? secure_getenv("PCM_PLUGIN_PATH") : NULL;
    const char  *parts[] = {given ? given : "", environment ? environment : "", defaults ? PCM_PLUGIN_DIRECTORY : ""};
    const size_t bytes = strlen(parts[0]) + strlen(parts[1]) + strlen(parts[2]) + 3;
    char        *path = pcm_allocate(context, bytes);
    if (path)
        snprintf(path, bytes, "%s:%s:%s", parts[0], parts[1], parts[2]);
    return path;
}

/* Takes the definition over the defaults; says to its own sink why it cannot. */
static bool take_def(pcm_context_def *used, const pcm_context_def *def)
{
    *used = pcm_context_defaults();
    if (!def)
        return true;
    pcm_context voice = {{NULL, default_allocate, default_release}, def->sink, def->sink_user, NULL, 0, 0, NULL};
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
    if (!used.allocator.allocate)
        used.allocator = (pcm_allocator){NULL, default_allocate, default_release};
    const uint32_t here = pcm_isa_here();

    pcm_context made = {.allocator = used.allocator,
                        .sink = used.sink,
                        .sink_user = used.sink_user,
                        .flags = used.flags,
                        .isa = used.isa < here ? used.isa : here};
    made.plugin_path = search_path(&made, used.plugin_path);
    pcm_context *context = made.plugin_path ? pcm_allocate(&made, sizeof *context) : NULL;
    if (context)
        *context = made;
    else
        pcm_report(&made, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a context");
    if (!context && made.plugin_path)
        pcm_free(&made, made.plugin_path, strlen(made.plugin_path) + 1);
    return context;
}

void pcm_context_free(pcm_context *context)
{
    if (!context)
        return;
    while (context->loaded) {
        pcm_loaded *loaded = context->loaded;
        context->loaded = loaded->next;
        pcm_plugin_close(context, loaded);
    }
    pcm_free(context, context->plugin_path, strlen(context->plugin_path) + 1);
    pcm_free(context, context, sizeof *context);
}
