/* SPDX-License-Identifier: MIT */
/* loader.h - from a file to a model in memory. */
#ifndef PCM_PLUGIN_LOADER_H
#define PCM_PLUGIN_LOADER_H

#include "context.h"

/* A plugin in memory. Its texts and functions stay where the file was mapped; its tables are copies at the sizes of
 * this library's headers. */
struct pcm_loaded {
    pcm_loaded *next;
    pcm_model   model;
    void       *library; /* of dlopen */
    char       *path;
};

/* Whether the file is a sound plugin of that name; if not, that has been said. Nothing of it is mapped or run. */
bool pcm_plugin_check(pcm_context *context, const char *name, const char *path);

/* Maps and checks the plugin of that name. NULL after having said why not. */
pcm_loaded *pcm_plugin_open(pcm_context *context, const char *name, const char *path);
void        pcm_plugin_close(pcm_context *context, pcm_loaded *loaded);

#endif
