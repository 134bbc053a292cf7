/* SPDX-License-Identifier: MIT */
/* source.h - the law that a command line names: by its name, its plugin, or its C file, which is then compiled. */
#ifndef PCM_TOOLS_VERIFY_SOURCE_H
#define PCM_TOOLS_VERIFY_SOURCE_H

#include <stdbool.h>

typedef struct law_source {
    char        model[128];
    char        folder[4096]; /* of the plugin; "" where the search path finds it */
    char        c_file[4096]; /* that was compiled; "" where none was */
    const char *plugins;      /* the folder, or what --plugins says; NULL: none */
} law_source;

/* Finds it; a C file becomes a plugin beside it. False, and reported, when there is none. plugins may be NULL. */
bool law_source_find(law_source *source, const char *word, const char *plugins);

#endif
