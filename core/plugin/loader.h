/* SPDX-License-Identifier: MIT */
/* loader.h - from a file to a model in memory. */
#ifndef PCM_PLUGIN_LOADER_H
#define PCM_PLUGIN_LOADER_H

#include "library.h"

/* Where the system has mapped an open library. */
pcm_mapping pcm_plugin_mapping(void *library);

/* Loads and checks the plugin of that name. NULL: it is rejected, which has been reported. */
pcm_loaded *pcm_plugin_open(pcm_context *context, const char *name, const char *path);

#endif
