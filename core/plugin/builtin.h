/* SPDX-License-Identifier: MIT */
/* builtin.h - plugins that are linked into the program. */
#ifndef PCM_PLUGIN_BUILTIN_H
#define PCM_PLUGIN_BUILTIN_H

#include "context_struct.h"

/* Checks the plugins and puts them into the context's list. False: one cannot be used, which has been reported.
 */
bool pcm_builtin_add(pcm_context *context, const pcm_library *const *builtin, size_t count);

#endif
