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

pcm_context_def pcm_context_defaults(void)
{
    return (pcm_context_def){.size = sizeof(pcm_context_def), .isa = pcm_isa_here()};
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

/* Whether the definition can be what pcm_context_defaults gave, in this version of the library or an older one. */
static bool definition_fits(const pcm_context_def *def)
{
    return def->size >= offsetof(pcm_context_def, isa) + sizeof def->isa && def->size <= sizeof *def &&
           !def->allocator.allocate == !def->allocator.release;
}

pcm_context *pcm_context_new(const pcm_context_def *def)
{
    pcm_context_def used = pcm_context_defaults();
    if (def && !definition_fits(def)) {
        pcm_context voice = {{NULL, default_allocate, default_release}, def->sink, def->sink_user, NULL, 0, 0, NULL};
        pcm_report(&voice, PCM_ERROR, PCM_MSG_CONTEXT_DEF,
                   "the pcm_context_def does not start from pcm_context_defaults(), or sets only one of its "
                   "allocator's functions");
        return NULL;
    }
    if (def)
        memcpy(&used, def, def->size);
    if (!used.allocator.allocate)
        used.allocator = (pcm_allocator){NULL, default_allocate, default_release};
    const uint32_t here = pcm_isa_here();

    pcm_context *context = used.allocator.allocate(used.allocator.user, sizeof *context);
    if (!context)
        return NULL;
    *context = (pcm_context){.allocator = used.allocator,
                             .sink = used.sink,
                             .sink_user = used.sink_user,
                             .flags = used.flags,
                             .isa = used.isa < here ? used.isa : here};
    context->plugin_path = search_path(context, used.plugin_path);
    if (!context->plugin_path) {
        pcm_free(context, context, sizeof *context);
        return NULL;
    }
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
