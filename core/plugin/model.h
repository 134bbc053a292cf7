/* SPDX-License-Identifier: MIT */
/* model.h - limits and helpers for the tables of every loaded model. */
#ifndef PCM_PLUGIN_MODEL_H
#define PCM_PLUGIN_MODEL_H

#include "context_struct.h"

/* The most columns of a law's states, host inputs or events, and the most partials; the loader rejects more. */
enum { PCM_MAX_COLUMNS = 32, PCM_MAX_PARTIALS = 128 };

/* The most amounts that the laws of one configuration have. */
enum { PCM_MAX_AMOUNTS = 16 };

/* The number of parameters that every model has besides its own. The last of them are the axes of the bodies, which
 * have an effect only in laws that read them. */
enum { PCM_COMMON_PARAMS = 12, PCM_COMMON_AXES = 2 };

static inline size_t pcm_model_common_count(const pcm_model *model)
{
    return model->inputs & PCM_AXES ? PCM_COMMON_PARAMS : PCM_COMMON_PARAMS - PCM_COMMON_AXES;
}

static inline const pcm_kernel_set *pcm_model_kernel_set(const pcm_model *model, size_t i)
{
    return (const pcm_kernel_set *)model->kernels.entries + i;
}

/* The flag in pcm_model.inputs with which a law reads the motion of that PCM_WRT_. */
static inline uint32_t pcm_wrt_input(uint32_t wrt)
{
    static const uint32_t inputs[] = {
        [PCM_WRT_DEPTH] = PCM_DEPTH,         [PCM_WRT_DEPTH_RATE] = PCM_DEPTH_RATE,
        [PCM_WRT_SLIP_X] = PCM_SLIP,         [PCM_WRT_SLIP_Y] = PCM_SLIP,
        [PCM_WRT_SPIN_X] = PCM_SPIN,         [PCM_WRT_SPIN_Y] = PCM_SPIN,
        [PCM_WRT_SPIN_N] = PCM_SPIN,         [PCM_WRT_X] = PCM_POSITION,
        [PCM_WRT_Y] = PCM_POSITION,          [PCM_WRT_Z] = PCM_POSITION,
        [PCM_WRT_VELOCITY_X] = PCM_VELOCITY, [PCM_WRT_VELOCITY_Y] = PCM_VELOCITY,
        [PCM_WRT_VELOCITY_Z] = PCM_VELOCITY,
    };
    return inputs[wrt];
}

#endif
