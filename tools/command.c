/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* secure_getenv */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

#include "crash.h"

#ifdef __wasm__
#include "linked.h"
#endif

/* No memory was left while output was printed, so it may be incomplete. */
static bool lacked_memory;
static bool told_error;

void command_report(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    lacked_memory |= diagnostic->code == PCM_MSG_OUT_OF_MEMORY;
    told_error |= diagnostic->severity == PCM_ERROR;
    char   room[2048];
    size_t needed = pcm_diagnostic_format(diagnostic, room, sizeof room) + 1;
    if (needed <= sizeof room) {
        (void)fputs(room, stderr);
        return;
    }
    char *text = malloc(needed);
    if (text)
        (void)pcm_diagnostic_format(diagnostic, text, needed);
    (void)fputs(text ? text : room, stderr);
    free(text);
}

void command_report_types(void *user, const pcm_diagnostic *diagnostic)
{
    if (diagnostic->code != PCM_MSG_UNUSED_TYPE)
        command_report(user, diagnostic);
}

void command_message_of(pcm_severity severity, uint32_t code, const pcm_place *place, const char *format,
                        va_list arguments)
{
    char           message[1024];
    pcm_diagnostic diagnostic = {.size = sizeof diagnostic, .severity = severity, .code = code, .message = message};
    (void)vsnprintf(message, sizeof message, format, arguments);
    if (place)
        diagnostic.place = *place;
    command_report(NULL, &diagnostic);
}

void command_error(uint32_t code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    command_message_of(PCM_ERROR, code, NULL, format, arguments);
    va_end(arguments);
}

void command_message(pcm_severity severity, uint32_t code, const pcm_place *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    command_message_of(severity, code, place, format, arguments);
    va_end(arguments);
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool command_folder(const char *in_build, const char *installed, char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    *slash = '\0';
    char      *folder = strrchr(path, '/');
    const bool built = folder && strcmp(folder, "/tools") == 0;
    char      *end = built ? folder : slash;
    const int  written =
        snprintf(end, size - (size_t)(end - path), built ? "/%s" : "/../%s", built ? in_build : installed);
    return written > 0 && (size_t)written < size - (size_t)(end - path) && is_directory(path);
}

pcm_context *command_context(const char *plugins, pcm_sink sink, void *user)
{
    return command_context_at(plugins, pcm_context_defaults().isa, sink, user);
}

pcm_context *command_context_at(const char *plugins, uint32_t isa, pcm_sink sink, void *user)
{
    char        own[4096];
    const char *environment = secure_getenv("PCM_PLUGIN_PATH");
    const bool  has_own = command_folder("plugins", PCM_PLUGINS_FROM_PREFIX, own, sizeof own);
    const char *parts[3] = {plugins, environment, has_own ? own : NULL};
    size_t      bytes = 1;
    for (size_t i = 0; i < 3; i++)
        bytes += parts[i] ? strlen(parts[i]) + 1 : 0;

    char        *search = malloc(bytes);
    pcm_context *context = NULL;
    if (search) {
        char *end = search;
        *end = '\0';
        for (size_t i = 0; i < 3; i++)
            if (parts[i] && parts[i][0])
                end += snprintf(end, bytes - (size_t)(end - search), "%s%s", end > search ? ":" : "", parts[i]);
        pcm_context_def def = pcm_context_defaults();
        def.sink = sink;
        def.sink_user = user;
        def.plugin_path = search;
        def.flags = (has_own ? PCM_NO_DEFAULT_PATHS : 0) | (secure_getenv("PCM_CLOSED_PATHS") ? PCM_CLOSED_PATHS : 0);
        def.isa = isa;
#ifdef __wasm__
        def.builtin = linked_laws(&def.n_builtin);
#endif
        context = pcm_context_new(&def);
    }
    free(search);
    if (context)
        crash_watch(context);
    else
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    return context;
}

const pcm_type *command_between(const pcm_type *type, const option_texts *between)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    if (between->count == 2)
        return pcm_type_between(type, between->at[0], between->at[1]);
    if (info->params && between->count == 0)
        return type;
    command_error(PCM_MSG_NEEDS_MATERIALS, "the parameters of %s come from two materials: --between A --between B",
                  info->name);
    return NULL;
}

pcm_config *command_config(pcm_context *context, const char *path, const option_texts *settings)
{
    pcm_config_def def = pcm_config_defaults();
    def.name = path;
    def.settings = settings->at;
    def.n_settings = settings->count;
    return pcm_config_open(context, &def);
}

int command_excuse(int status)
{
    if (status == EXIT_WRONG && !told_error)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    return status;
}

int command_finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return lacked_memory && status == EXIT_GOOD ? EXIT_WRONG : status;
    command_error(PCM_MSG_TABLE_FILE, "standard output could not be written");
    return EXIT_WRONG;
}
