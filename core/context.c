/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* secure_getenv */
#include "context.h"
#include "loader.h"
#include "model.h"
#include <pcm/messages.h>

#include <stdarg.h>
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

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

void *pcm_allocate(pcm_context *context, size_t bytes)
{
    if (bytes == 0)
        return NULL;
    void *memory = context->allocator.allocate(context->allocator.user, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

void pcm_free(pcm_context *context, void *memory, size_t bytes)
{
    if (memory)
        context->allocator.release(context->allocator.user, memory, bytes);
}

void *pcm_reallocate(pcm_context *context, void *memory, size_t bytes, size_t new_bytes)
{
    void *grown = pcm_allocate(context, new_bytes);
    if (grown && memory) {
        memcpy(grown, memory, bytes < new_bytes ? bytes : new_bytes);
        pcm_free(context, memory, bytes);
    }
    return grown;
}

/* ---- Voice ----------------------------------------------------------------------------------------------------- */

void pcm_emit(pcm_context *context, const pcm_diagnostic *diagnostic)
{
    if (context->sink)
        context->sink(context->sink_user, diagnostic);
}

static void say(pcm_context *context, pcm_diagnostic *diagnostic, const char *format, va_list arguments)
{
    char    text[512];
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    char     *longer = NULL;
    if (length >= (int)sizeof text && (longer = pcm_allocate(context, (size_t)length + 1)))
        vsnprintf(longer, (size_t)length + 1, format, again);
    va_end(again);
    diagnostic->message = longer ? longer : text;
    pcm_emit(context, diagnostic);
    pcm_free(context, longer, (size_t)length + 1);
}

void pcm_report(pcm_context *context, pcm_severity severity, uint32_t code, const char *format, ...)
{
    pcm_diagnostic diagnostic = {.severity = severity, .code = code};
    va_list        arguments;
    va_start(arguments, format);
    say(context, &diagnostic, format, arguments);
    va_end(arguments);
}

void pcm_report_file(pcm_context *context, pcm_severity severity, uint32_t code, const char *file, const char *format,
                     ...)
{
    pcm_diagnostic diagnostic = {.severity = severity, .code = code, .place.file = file};
    va_list        arguments;
    va_start(arguments, format);
    say(context, &diagnostic, format, arguments);
    va_end(arguments);
}

/* ---- Life ------------------------------------------------------------------------------------------------------ */

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
                   "the pcm_context_def does not start from pcm_context_defaults(), or has half an allocator");
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
