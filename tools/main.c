/* SPDX-License-Identifier: MIT */
/* main.c - the pcm command: its first word chooses the command. */
#include <stdio.h>
#include <string.h>
#ifndef __wasm__
#include <signal.h>
#endif

#include "command.h"
#include "isolate.h"

typedef struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} command;

/* Keeps a row of the table if this build has the feature that the row needs, else drops it. */
#define IF_always(...) __VA_ARGS__
#ifdef __wasm__
#define IF_native(...)
#else
#define IF_native(...) __VA_ARGS__
#endif
#ifdef PCM_WITH_MUJOCO
#define IF_mujoco(...) __VA_ARGS__
#else
#define IF_mujoco(...)
#endif
#ifdef PCM_WITH_REPLAY
#define IF_replay(...) __VA_ARGS__
#else
#define IF_replay(...)
#endif
#ifdef PCM_EXPORT_CLANG
#define IF_export(...) __VA_ARGS__
#else
#define IF_export(...)
#endif

static const command commands[] = {
#define COMMAND(when, source, name, summary) IF_##when({#name, summary, name##_run}, )
#include "commands.inc"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    (void)fprintf(out, "usage: pcm COMMAND ...\n\n"
                       "Contact laws, chosen in a .pcm file, run unchanged in every simulator.\n\ncommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        (void)fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    (void)fprintf(out, "\n`pcm COMMAND --help` describes a command and shows an example.\n"
                       "exit status: 0 success, 1 errors were found, 2 wrong usage\n");
}

static int refuse(const char *word)
{
    const char *names[COMMANDS + 1] = {NULL};
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    (void)fprintf(stderr, "pcm: unknown command '%s'%s\n\n", word, options_did_you_mean(word, names).text);
    print_help(stderr);
    return EXIT_CALL;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
#ifndef __wasm__
    (void)signal(SIGXFSZ, SIG_IGN); /* beyond the limit of `ulimit -f` a write fails, and no row is cut in half */
#endif
    if (!word) {
        print_help(stderr);
        return EXIT_CALL;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return command_finish(EXIT_GOOD);
    }
    if (strcmp(word, "--version") == 0) {
        (void)printf("pcm %s\n", PCM_VERSION);
        return command_finish(EXIT_GOOD);
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(word, commands[i].name) == 0)
            return isolate_end(command_finish(commands[i].run(argc - 2, argv + 2)));
    return refuse(word);
}
