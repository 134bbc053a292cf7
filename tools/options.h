/* SPDX-License-Identifier: MIT */
/* options.h - reads command lines: the options of a command, its --help, and the messages about invalid calls. */
#ifndef PCM_TOOLS_OPTIONS_H
#define PCM_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "suggest.h"

/* Exit statuses of every command. */
enum {
    EXIT_GOOD = 0,
    EXIT_WRONG = 1, /* the files or values have errors */
    EXIT_CALL = 2   /* the call is invalid */
};

typedef struct option_texts {
    const char **at; /* an array with room for as many texts as the command line has words; free it after use */
    size_t       count;
} option_texts;

/* One option; exactly one target is set. The target keeps its value if the option is not given. */
typedef struct option {
    const char   *name;  /* "--motion" */
    const char   *value; /* the name of its value in --help, "IN.csv"; NULL: a switch */
    const char   *doc;
    bool         *flag;
    const char  **text;
    double       *number;   /* any finite number */
    double       *positive; /* a finite number above zero */
    size_t       *count;    /* a whole number above zero */
    option_texts *texts;    /* may be repeated */
} option;

typedef struct command_line {
    const char   *name;     /* "rig" */
    const char   *usage;    /* "FILE.pcm [CONTACT] --motion IN.csv [--out OUT.csv]" */
    const char   *about;    /* the text about the command in --help */
    const char   *examples; /* the examples in --help, as indented lines */
    const option *options;
    size_t        n_options;
    size_t        min_words, max_words; /* number of words that are not options: files and names */
} command_line;

#define OPTIONS(array) .options = (array), .n_options = sizeof(array) / sizeof *(array)

/* Reads the words after the command's name: options into their targets, the others in order into *words. Every command
 * also takes --help, and -- after which nothing is an option. Returns true if the command may continue; otherwise
 * *status is its exit status, and all messages are printed. Free words->at in either case. */
bool options_read(const command_line *line, int argc, char **argv, option_texts *words, int *status);

/* Reports an invalid call, format as printf, and the usage of the command; returns EXIT_CALL. */
int options_refuse(const command_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "; did you mean 'x'?", or "" when no candidate is close to the word. */
typedef struct options_hint {
    char text[96];
} options_hint;
options_hint options_hint_of(const pcm_suggestion *suggestion);
options_hint options_did_you_mean(const char *word, const char *const *candidates); /* ended by NULL */

#endif
