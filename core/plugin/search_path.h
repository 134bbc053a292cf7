/* SPDX-License-Identifier: MIT */
/* search_path.h - plugins in directories. A build without plugin files uses no_files.c instead. */
#ifndef PCM_PLUGIN_SEARCH_PATH_H
#define PCM_PLUGIN_SEARCH_PATH_H

#include "model_search.h"

/* The directories of the definition, the environment and the installation as one text with ':' between them, in the
 * context's memory; NULL: no memory. */
char *pcm_search_path_new(pcm_context *context, const char *given);

/* Writes the directories with ", " between them, NUL-terminated, cut at the size. */
void pcm_search_path_list(const pcm_context *context, char *to, size_t size);

/* Loads the plugin from the first directory that has a file of its name, and puts it first in the context's list. If it
 * is rejected, that has been reported. */
pcm_found pcm_search_path_load(pcm_context *context, const char *name);

/* Calls `see` with the name of every plugin on the path, with some names twice, until it returns false. False then, or
 * without memory. */
typedef struct pcm_name_visit {
    bool (*see)(void *user, const char *name);
    void *user;
} pcm_name_visit;
bool pcm_search_path_names(pcm_context *context, const pcm_name_visit *visit);

#endif
