/* SPDX-License-Identifier: MIT */
#include "source.h"

#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <pcm/messages.h>

#include "command.h"
#include "ending.h"

extern char **environ;

/* Compiles as the documentation says that authors do. */
static bool compile(const char *path, const char *plugin)
{
    static char script[] =
        "flags=$(pkg-config --cflags pcm-plugin) && exec ${CC:-cc} -shared -fPIC -O2 $flags \"$1\" -o \"$2\"";
    static char shell[] = "/bin/sh", option_c[] = "-c", name[] = "sh";
    char *const words[] = {shell, option_c, script, name, (char *)(uintptr_t)path, (char *)(uintptr_t)plugin, NULL};
    pid_t       child;
    int         status;
    if (posix_spawn(&child, shell, NULL, NULL, words, environ) == 0 && waitpid(child, &status, 0) == child &&
        WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    command_error(PCM_MSG_NOT_BUILT, "%s was not compiled: see above; the compiler is $CC or cc", path);
    return false;
}

bool law_source_find(law_source *source, const char *word, const char *plugins)
{
    const char  *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
    const bool   is_c = ends_with(name, ".c"), is_file = is_c || ends_with(name, ".so");
    const size_t length = strlen(name) - (is_c ? 2 : is_file ? 3 : 0);
    *source = (law_source){.plugins = plugins};
    if (length >= sizeof source->model || strlen(word) + 8 >= sizeof source->folder) {
        command_error(PCM_MSG_NOT_BUILT, "%.60s...: the name is too long", word);
        return false;
    }
    (void)snprintf(source->model, sizeof source->model, "%.*s", (int)length, name);
    if (!is_file)
        return true;
    (void)snprintf(source->folder, sizeof source->folder, "%.*s", slash ? (int)(slash - word) : 1, slash ? word : ".");
    source->plugins = source->folder;
    char plugin[sizeof source->folder + sizeof source->model + 8];
    (void)snprintf(plugin, sizeof plugin, "%s/%s.so", source->folder, source->model);
    if (is_c)
        (void)snprintf(source->c_file, sizeof source->c_file, "%s", word);
    return !is_c || compile(word, plugin);
}
