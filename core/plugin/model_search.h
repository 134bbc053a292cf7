/* SPDX-License-Identifier: MIT */
/* model_search.h - models by name: on the search path, and in memory once loaded. */
#ifndef PCM_PLUGIN_MODEL_SEARCH_H
#define PCM_PLUGIN_MODEL_SEARCH_H

#include "context_struct.h"

/* PCM_NOT_FOUND: there is no file of that name; the caller reports where it was searched. */
typedef enum pcm_found { PCM_FOUND, PCM_NOT_FOUND, PCM_REJECTED } pcm_found;

/* Like pcm_model_load, but without a message if there is no such plugin. searched, unless NULL, gets the directories,
 * separated by ", ", NUL-terminated, cut at its size. */
const pcm_model *pcm_model_find(pcm_context *context, const char *name, pcm_found *found, char *searched, size_t size);

/* Calls visit with the name of every plugin that is linked in or on the search path, in order; the name lives only
 * during the call. */
enum { PCM_MODEL_NAME_SIZE = 64 };
void pcm_model_names(pcm_context *context, void (*visit)(void *user, const char *name), void *user);

#endif
