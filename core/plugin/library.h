/* SPDX-License-Identifier: MIT */
/* library.h - from the entry of a plugin to a checked model, wherever the plugin came from. */
#ifndef PCM_PLUGIN_LIBRARY_H
#define PCM_PLUGIN_LIBRARY_H

#include "image.h"

/* A plugin in memory. Its texts and functions stay where they are; its tables are copies at the sizes of this library's
 * headers. */
struct pcm_loaded {
    pcm_loaded *next;
    pcm_model   model;
    bool        is_builtin;
    char       *path;    /* path of its file, or its name in messages */
    void       *library; /* handle to close; NULL: none */
    void (*close)(void *library);
};

/* An empty one; NULL: no memory, which has been reported. */
pcm_loaded *pcm_loaded_new(pcm_context *context, const char *path);
void        pcm_loaded_free(pcm_context *context, pcm_loaded *loaded);

/* The context's plugin whose model has that name; NULL: it is not loaded. */
pcm_loaded *pcm_loaded_find(const pcm_context *context, const char *name);

/* Whether this processor can run plugins; if not, that has been reported. */
bool pcm_library_runs(const pcm_image *image);

/* Copies the tables of the entry into the zeroed model and checks them. name: the name that the model must have; NULL:
 * any. False: the plugin is rejected, which has been reported. Drop the model in either case. */
bool pcm_library_take(const pcm_image *image, const pcm_library *entry, const char *name, pcm_model *model);
void pcm_library_drop(pcm_context *context, pcm_model *model);

#endif
