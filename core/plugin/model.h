/* SPDX-License-Identifier: MIT */
/* model.h - plugins in memory, their tables checked and grown to this host's sizes. */
#ifndef PCM_PLUGIN_MODEL_H
#define PCM_PLUGIN_MODEL_H

#include "context.h"

/* Whether pcm_model_load failed for want of a file: then the caller says what was searched for, and where. */
typedef enum pcm_found { PCM_FOUND, PCM_NOT_FOUND, PCM_REFUSED } pcm_found;

/* As pcm_model_load, but silent about a plugin that is nowhere. searched (may be NULL) gets the directories, one text
 * separated by ", ", NUL-terminated, cut at its size. */
const pcm_model *pcm_model_find(pcm_context *context, const char *name, pcm_found *found, char *searched, size_t size);

/* Calls visit with the name of every plugin on the search path, in order; the name lives only during the call. */
enum { PCM_MODEL_NAME_SIZE = 64 };
void pcm_model_names(pcm_context *context, void (*visit)(void *user, const char *name), void *user);

/* The best kernel set of the model that is at most isa; never NULL. */
const pcm_kernel_set *pcm_model_kernels(const pcm_model *model, uint32_t isa);

/* The best instruction set that this processor and system run, PCM_ISA_... */
uint32_t pcm_isa_here(void);

/* Whether this processor runs PCM_ISA_PLAIN at all. */
bool pcm_isa_usable(void);

/* The most columns that a law's states, given inputs or events take, and the most partials; the loader refuses more. */
enum { PCM_MAX_COLUMNS = 32, PCM_MAX_PARTIALS = 128 };

static inline const pcm_kernel_set *pcm_model_kernel_set(const pcm_model *model, size_t i)
{
    return (const pcm_kernel_set *)model->kernels.entries + i;
}

#endif
