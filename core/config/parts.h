/* SPDX-License-Identifier: MIT */
/* parts.h - sums of laws: everything else sees `Hertz + Mindlin` as one model.
 *
 * The model of a sum is made when the configuration is read. Its tables are those of the parts, one after the other.
 * Its kernels call those of the parts in the order of the text, each with its own slice of every column, and add up
 * their outputs. Its parameter block holds
 *
 *     pcm_parts_block, parameters of the first part, of the second ...
 *
 * so that the kernels, which see only a batch, find the parts through the parameters. */
#ifndef PCM_CORE_PARTS_H
#define PCM_CORE_PARTS_H

#include "arena.h"
#include "model.h"

enum { PCM_PARTS_MAX = 8 };
#define PCM_NO_PARTIAL UINT32_MAX

typedef struct pcm_part {
    const pcm_model      *model;
    const pcm_kernel_set *kernels[PCM_ISA_AVX512 + 1]; /* by instruction set */
    size_t                params, params_size;         /* its parameters in the block of the sum, in bytes */
    uint32_t              first_param, first_derived;  /* the first entries of the sum that are its own */
    uint32_t              state, host_input, event;    /* the first column of each that is its own */
    uint32_t              amount;                      /* likewise */
    uint32_t              n_state, n_host_input;       /* how many columns it has */
    const uint32_t       *partial; /* for each of its partials the sum's to which it is added, or PCM_NO_PARTIAL */
} pcm_part;

typedef struct pcm_parts {
    pcm_model model; /* of the whole */
    uint32_t  count;
    bool      shares; /* a part reads outputs of earlier ones */
    pcm_part  part[PCM_PARTS_MAX];
} pcm_parts;

typedef struct pcm_parts_block {
    const pcm_parts *parts;
    double           onset[PCM_PARTS_MAX]; /* of each part under its parameters */
} pcm_parts_block;

/* Makes the model of the sum, in the arena. NULL: no memory. The parts must be compatible: pcm_parts_clash found
 * nothing. */
const pcm_parts *pcm_parts_make(pcm_arena *arena, const pcm_model *const *models, uint32_t count);

/* Why these models are not compatible, as the end of a sentence about models[*at]; NULL: they are. */
const char *pcm_parts_clash(const pcm_model *const *models, uint32_t count, uint32_t *at);

/* Why the model cannot act alone, as the end of a sentence about it: it reads outputs of earlier parts. NULL: it can.
 */
const char *pcm_part_lacks(const pcm_model *model);

/* The part to which a parameter of the sum belongs; NULL: it is a common parameter. */
const pcm_part *pcm_part_of_param(const pcm_parts *parts, size_t index);

/* A derived value of any model, with the model's parameters. */
double pcm_model_derive(const pcm_model *model, size_t index, const void *params, const pcm_load *load);

/* The parts of a model that pcm_parts_make made; NULL for any other. */
const pcm_parts *pcm_parts_of(const pcm_model *model);

/* The kernels of every sum, without and with a verb per pair. */
enum { PCM_PARTS_SETS = 3 };
extern const pcm_kernel_set pcm_parts_kernels[PCM_PARTS_SETS], pcm_parts_pair_kernels[PCM_PARTS_SETS];

#endif
