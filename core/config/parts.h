/* SPDX-License-Identifier: MIT */
/* parts.h - sums of laws: the rest of the library treats `Hertz + Mindlin` as one model.
 *
 * The model of a sum is made when the configuration is read. Its tables are those of the parts, one after the other.
 * Its kernels call those of the parts in the order of the text, each with its own slice of every column, and add up
 * their outputs. The kernels see only a batch, so they find the parts through its parameters: the parameter block of a
 * sum begins with a pcm_parts_block, followed by the parameters of the first part, of the second, and so on. */
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
    uint32_t              first_param, first_derived;  /* index of the part's first entries in the sum's tables */
    uint32_t              state, host_input, event;    /* index of the part's first column of each kind */
    uint32_t              amount;                      /* index of the part's first amount */
    uint32_t              n_state, n_host_input;       /* numbers of its columns */
    const uint32_t *partial; /* for each of its partials the sum's partial to which it is added, or PCM_NO_PARTIAL */
} pcm_part;

typedef struct pcm_parts {
    pcm_model model; /* the model of the sum */
    uint32_t  count;
    bool      shares; /* a part reads outputs of earlier ones */
    uint32_t  losses; /* the last part that reads the losses of earlier ones; 0: none does */
    pcm_part  part[PCM_PARTS_MAX];
} pcm_parts;

typedef struct pcm_parts_block {
    const pcm_parts *parts;
    double           onset[PCM_PARTS_MAX]; /* each part's onset under its parameters */
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
