/* SPDX-License-Identifier: MIT */
/* model.h - what holds for the tables of every loaded model. */
#ifndef PCM_PLUGIN_MODEL_H
#define PCM_PLUGIN_MODEL_H

#include "context.h"

/* The most columns that a law's states, given inputs or events take, and the most partials; the loader refuses more. */
enum { PCM_MAX_COLUMNS = 32, PCM_MAX_PARTIALS = 128 };

/* How many parameters belong to every model, beside its own. */
enum { PCM_COMMON_PARAMS = 9 };

static inline const pcm_kernel_set *pcm_model_kernel_set(const pcm_model *model, size_t i)
{
    return (const pcm_kernel_set *)model->kernels.entries + i;
}

#endif
