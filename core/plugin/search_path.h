/* SPDX-License-Identifier: MIT */
/* search_path.h - plugins in directories. A build without plugin files has no_files.c in its place. */
#ifndef PCM_PLUGIN_SEARCH_PATH_H
#define PCM_PLUGIN_SEARCH_PATH_H

#include "model_search.h"

/* The directories of the definition, the environment and the installation as one text in the context's memory, with ':'
 * between them; NULL without memory. */
char *pcm_search_path_new(pcm_context *context, const char *given);

/* Writes the directories with ", " between them, NUL-terminated, cut at the size. */
void pcm_search_path_list(const pcm_context *context, char *to, size_t size);

/* Loads the plugin from the first directory that has a file of its name: it then begins the context's list. What it
 * rejects has been reported. */
pcm_found pcm_search_path_load(pcm_context *context, const char *name);

/* Shows the name of every plugin of the path, some of them twice, until `see` gives false; false then, or without
 * memory. */
typedef struct pcm_name_visit {
    bool (*see)(void *user, const char *name);
    void *user;
} pcm_name_visit;
bool pcm_search_path_names(pcm_context *context, const pcm_name_visit *visit);

#endif
