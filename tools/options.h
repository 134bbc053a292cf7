/* SPDX-License-Identifier: MIT */
/* options.h - the one reader of command lines: what a command takes, its --help, and what it says of a bad call. */
#ifndef PCM_TOOLS_OPTIONS_H
#define PCM_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "suggest.h"

/* Exit statuses of every command. */
enum {
    EXIT_GOOD = 0,
    EXIT_WRONG = 1, /* what was asked about is wrong */
    EXIT_CALL = 2   /* the call is wrong             */
};

typedef struct option_texts {
    const char **at; /* as many as the command line has words; free after use */
    size_t       count;
} option_texts;

/* One option; exactly one of the targets is set, and keeps its value where the option is not given. */
typedef struct option {
    const char   *name;  /* "--motion" */
    const char   *value; /* the name of its value in --help, "IN.csv"; NULL for a switch */
    const char   *doc;
    bool         *flag;
    const char  **text;
    double       *number;   /* any finite number */
    double       *positive; /* a finite number above zero */
    size_t       *count;    /* a whole number above zero */
    option_texts *texts;    /* may be given again and again */
} option;

typedef struct command_line {
    const char   *name;     /* "rig" */
    const char   *usage;    /* "FILE.pcm [CONTACT] --motion IN.csv [--out OUT.csv]" */
    const char   *about;    /* what the command does, as --help prints it */
    const char   *examples; /* indented lines, as --help prints them */
    const option *options;
    size_t        n_options;
    size_t        min_words, max_words; /* words that are no options: files and names */
} command_line;

#define OPTIONS(array) .options = (array), .n_options = sizeof(array) / sizeof *(array)

/* Reads the words after the command's name: options into their targets, the others in order into *words. Every command
 * also takes --help, and -- after which nothing is an option. Returns true when the command may go on; else *status is
 * its exit status, and everything has been said. Free words->at in either case. */
bool options_read(const command_line *line, int argc, char **argv, option_texts *words, int *status);

/* Says that the call is wrong, in printf's way, and how the command is called; returns EXIT_CALL. */
int options_refuse(const command_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "; did you mean 'x'?", or "" when no candidate is near the word. */
typedef struct options_hint {
    char text[96];
} options_hint;
options_hint options_hint_of(const pcm_suggestion *suggestion);
options_hint options_did_you_mean(const char *word, const char *const *candidates); /* ended by NULL */

#endif
