/* SPDX-License-Identifier: MIT */
/* bench.c - pcm bench: runs the programs of bench/, each of which measures one promise. */
#define _GNU_SOURCE /* secure_getenv */

#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <pcm/messages.h>

#include "command.h"

extern char **environ;

/* Runs one program with these words as its arguments; returns its exit status. */
static int run_program(char *path, char **words)
{
    pid_t child;
    int   status;
    words[0] = path;
    if (posix_spawn(&child, path, NULL, NULL, words, environ) != 0 || waitpid(child, &status, 0) < 0) {
        command_error(PCM_MSG_BENCH, "%s could not be run", path);
        return EXIT_WRONG;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? EXIT_GOOD : EXIT_WRONG;
}

/* Runs the programs whose name matches, in order of name. */
static int run_matching(const char *name, char **words)
{
    char   folder[4096], pattern[4200];
    glob_t found;
    int    status = EXIT_GOOD;
    bool   any = command_folder("bench", PCM_BENCH_FROM_PREFIX, folder, sizeof folder);
    if (any) {
        (void)snprintf(pattern, sizeof pattern, "%s/%s", folder, name);
        any = glob(pattern, GLOB_MARK, NULL, &found) == 0;
    }
    if (!any) {
        command_error(
            PCM_MSG_BENCH,
            "this pcm was built without its benchmarks: meson configure BUILD -Dbench=true && ninja -C BUILD");
        return EXIT_WRONG;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char      *path = found.gl_pathv[i];
        const bool folder_of_objects = path[strlen(path) - 1] == '/';
        if (!folder_of_objects && run_program(path, words) != EXIT_GOOD)
            status = EXIT_WRONG;
    }
    globfree(&found);
    return status;
}

/* The benchmarks take their plugin path only from the environment: puts the folder of --plugins first, then the path
 * that is set, then this program's own folder. */
static bool pass_plugins(const char *first)
{
    char        own[4096], path[16384];
    const char *set = secure_getenv("PCM_PLUGIN_PATH");
    const bool  has_own = command_folder("plugins", PCM_PLUGINS_FROM_PREFIX, own, sizeof own);
    const char *parts[] = {first, set, has_own ? own : NULL};
    size_t      length = 0;
    path[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts && length < sizeof path; i++)
        if (parts[i] && parts[i][0])
            length += (size_t)snprintf(path + length, sizeof path - length, "%s%s", length ? ":" : "", parts[i]);
    return length < sizeof path && setenv("PCM_PLUGIN_PATH", path, 1) == 0;
}

static int run_programs(const option_texts *words, const option_texts *settings, bool as_json, bool large,
                        const char *seconds, const char *plugins)
{
    int    count = 1;
    char **arguments = calloc(words->count + 2 * settings->count + 6, sizeof *arguments);
    if (!arguments || !pass_plugins(plugins)) {
        free(arguments);
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return EXIT_WRONG;
    }
    if (as_json)
        arguments[count++] = "--json";
    if (large)
        arguments[count++] = "--large";
    if (seconds) {
        arguments[count++] = "--seconds";
        arguments[count++] = (char *)seconds;
    }
    for (size_t i = 0; i < words->count; i++)
        arguments[count++] = (char *)words->at[i];
    for (size_t i = 0; i < settings->count; i++) {
        arguments[count++] = "--set";
        arguments[count++] = (char *)settings->at[i];
    }

    const int status = run_matching(words->count > 0 ? "cost" : "bench-*", arguments);
    free(arguments);
    return status;
}

int bench_run(int argc, char **argv)
{
    bool         as_json = false, large = false;
    const char  *seconds = NULL, *plugins = NULL;
    int          status;
    option_texts words, settings = {0};
    const option options[] = {
        OPTION_SET(&settings),
        OPTION_PLUGINS(&plugins),
        {.name = "--json", .doc = "one object per line", .flag = &as_json},
        {.name = "--large", .doc = "also the sizes that need gigabytes", .flag = &large},
        {.name = "--seconds", .value = "S", .doc = "upper limit of the time for one measurement", .text = &seconds},
    };
    const command_line line = {
        .name = "bench",
        .usage = "[MODEL|FILE.pcm ...] [--json] [--large] [--seconds S] [--plugins DIR]",
        .about =
            "Without arguments, measures every promise about speed against the competing loop, side by side.\n"
            "With arguments, measures what those laws cost per contact on this machine, and which fraction of\n"
            "the limit of memory or arithmetic they reach. The limit of arithmetic is what a packed loop would take:\n"
            "of a loop that the compiler did not pack, the time divided by the lanes of an instruction.",
        .examples = "  pcm bench --json > speed.json\n"
                    "  pcm bench ViscoelasticGround\n",
        OPTIONS(options),
        .max_words = (size_t)argc,
    };
    if (options_read(&line, argc, argv, &words, &status)) {
        if (settings.count > 0 && words.count == 0)
            status = options_refuse(&line, "--set needs a MODEL or a FILE.pcm");
        else
            status = run_programs(&words, &settings, as_json, large, seconds, plugins);
    }
    free(words.at);
    free(settings.at);
    return status;
}
