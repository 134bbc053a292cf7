/* SPDX-License-Identifier: MIT */
/* main.c - the pcm command: one word chooses what it does. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "isolate.h"

typedef struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"check", "read .pcm files and report every error in them", check_run},
    {"models", "list the contact laws, or describe one", models_run},
    {"explain", "which rule applies to two objects, and what follows from it", explain_run},
    {"show", "a .pcm file as it is read, or what its rules make of a scene", show_run},
    {"fmt", "give .pcm files their one layout", fmt_run},
#ifndef __wasm__
    {"cone", "which forces a contact can transmit: friction cones, pyramids, wrench cones", cone_run},
#endif
#ifdef PCM_WITH_MUJOCO
    {"objects", "list what rules can speak of in a MuJoCo scene", objects_run},
    {"suggest", "contact types to start from, from the masses of a MuJoCo scene", suggest_run},
    {"run", "simulate a MuJoCo scene with the contact laws of a .pcm file", run_run},
#endif
#ifdef PCM_WITH_REPLAY
    {"replay", "what the page of a run holds, as tables or for ParaView", replay_run},
#endif
    {"rig", "put one law on a test rig: motion in, forces out", rig_run},
#ifndef __wasm__
    {"explore", "a page with sliders and curves, which laws compute in the browser", explore_run},
    {"plot", "pictures of what contact types answer, and of logs", plot_run},
    {"new", "the files that a contact law begins with", new_run},
    {"verify", "try to break a contact law before anyone simulates with it", verify_run},
    {"bench", "measure the promises about speed, or what a law costs here", bench_run},
#endif
    {"message", "what a message means, by its code", message_run},
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
