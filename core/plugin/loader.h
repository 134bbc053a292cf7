/* SPDX-License-Identifier: MIT */
/* loader.h - from a file to a model in memory. */
#ifndef PCM_PLUGIN_LOADER_H
#define PCM_PLUGIN_LOADER_H

#include "library.h"

/* Whether the file is a sound plugin of that name; if not, that has been said. Nothing of it is mapped or run. */
bool pcm_plugin_check(pcm_context *context, const char *name, const char *path);

/* Maps and checks the plugin of that name. NULL after having said why not. */
pcm_loaded *pcm_plugin_open(pcm_context *context, const char *name, const char *path);

#endif
