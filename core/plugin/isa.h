/* SPDX-License-Identifier: MIT */
/* isa.h - the instruction sets that this processor runs, and the kernels for them. */
#ifndef PCM_PLUGIN_ISA_H
#define PCM_PLUGIN_ISA_H

#include "context_struct.h"

/* The best kernel set of the model that is at most isa; never NULL. */
const pcm_kernel_set *pcm_model_kernels(const pcm_model *model, uint32_t isa);

/* The best instruction set that this processor and system run, PCM_ISA_... */
uint32_t pcm_isa_here(void);

/* Whether this processor runs PCM_ISA_PLAIN at all. */
bool pcm_isa_usable(void);

#endif
