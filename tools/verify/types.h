/* SPDX-License-Identifier: MIT */
/* types.h - the contact types of a file that are to be verified, between the materials that they need. */
#ifndef PCM_TOOLS_VERIFY_TYPES_H
#define PCM_TOOLS_VERIFY_TYPES_H

#include "command.h"

enum { TYPES_MOST = 256, TYPES_NAME = 128 };

typedef struct found_type {
    char name[TYPES_NAME], surface[2][TYPES_NAME]; /* "": it needs no materials */
} found_type;

/* What is asked for, and, in memory that parent and children share, what was found. */
typedef struct found_types {
    const char         *file, *plugins;
    const option_texts *settings, *between;
    const char *const  *names; /* of types; none: all */
    size_t              n_names;
    volatile bool       good; /* all of them are there; else it has been reported why not */
    size_t              count;
    found_type          at[TYPES_MOST];
} found_types;

/* Finds the types that are named, each as the file has it or, where materials have its parameters, between every two of
 * the file's materials; between the surfaces of --between if they are given. Types that come out alike are listed once.
 * Run it in a child, as it loads the plugins. argument: a found_types. */
void types_find(void *argument);

#endif
