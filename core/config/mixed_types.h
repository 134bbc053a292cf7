/* SPDX-License-Identifier: MIT */
/* mixed_types.h - contact types between two materials, each made when two objects of these materials first meet. */
#ifndef PCM_CONFIG_MIXED_TYPES_H
#define PCM_CONFIG_MIXED_TYPES_H

#include "contact_type.h"
#include "hash_index.h"
#include "lock.h"

/* Worlds in many threads share it. They ask only for pairs of objects that are new to them. */
typedef struct pcm_mixed_types {
    pcm_lock   lock; /* protects all below, and the configuration's arena once it is read */
    pcm_type **list;
    size_t     count, capacity;
    pcm_index  index; /* from type and materials to 1 + the index in the list */
    pcm_names  told;  /* surfaces that pcm_type_between has reported, and types that it could not make */
} pcm_mixed_types;

void pcm_mixed_types_start(pcm_context *context, pcm_mixed_types *mixed);
void pcm_mixed_types_free(pcm_context *context, pcm_mixed_types *mixed);

/* A type of the file with the values that two materials give it, not among those above, in the arena. It has no name
 * and no index. NULL on an error, which is reported. */
struct pcm_arena;
struct pcm_reports;
pcm_type *pcm_type_mix(const pcm_type *written, const uint32_t material[2], struct pcm_arena *arena,
                       struct pcm_reports *reports);

/* A copy of the values of its law's parameters and the common ones; NULL: no memory. */
pcm_value *pcm_type_copy_values(const pcm_type *type, struct pcm_arena *arena);

/* Reports errors of the types that rules between two named surfaces will need: missing properties, or bad values. */
void pcm_mixed_types_check(pcm_config *config, struct pcm_reports *reports);

#endif
