/* SPDX-License-Identifier: MIT */
/* contact_type.h - contact types and rules as worlds use them. Immutable once the config is loaded. */
#ifndef PCM_CONFIG_CONTACT_TYPE_H
#define PCM_CONFIG_CONTACT_TYPE_H

#include "context.h"

struct pcm_type {
    pcm_type_info         info;
    pcm_common            common; /* what info.common points at */
    const pcm_config     *config;
    const pcm_kernel_set *kernels; /* the set for the context's instruction set */
    pcm_value            *values;  /* the law's parameters, then the base ones */
};

/* Whether a contact that begins up to a gap of onset may begin at that depth: the one place that decides it. */
static inline bool pcm_can_begin(double onset, double depth) { return !(depth < -onset); }

/* Bytes of the parameter block of any model, parts and all. */
size_t pcm_model_params_size(const pcm_model *model);

/* The context that the config was made in, for worlds. */
pcm_context *pcm_config_context(const pcm_config *config);
pcm_config  *pcm_config_retain(pcm_config *config);

/* A side is one name or pattern that rules use, interned: the sides that one registered name matches are found once,
 * when it is registered, and a pair is then resolved over these small sets, never over strings. */
typedef struct pcm_sides {
    uint32_t *ids; /* from the context's allocator */
    uint32_t  count;
} pcm_sides;

/* The sides of ObjectPair (surface false) or SurfacePair rules that the name matches. */
pcm_status pcm_sides_find(const pcm_config *config, const char *name, bool surface, pcm_sides *sides);
void       pcm_sides_free(const pcm_config *config, pcm_sides *sides);

typedef struct pcm_answer {
    const pcm_type *type; /* NULL: no rule; the pair is the host's */
    uint32_t        rule; /* index as in pcm_config_rule_at */
    bool            swapped;
} pcm_answer;

/* [hot] The winning rule of a pair, first object a. */
pcm_answer pcm_rules_resolve(const pcm_config *config, const pcm_sides *object_a, const pcm_sides *surface_a,
                             const pcm_sides *object_b, const pcm_sides *surface_b);

/* A number that differs for contact types with other values or states, and for other rules. */
uint64_t pcm_type_fingerprint(const pcm_type *type);
uint64_t pcm_rules_fingerprint(const pcm_config *config);

#endif
