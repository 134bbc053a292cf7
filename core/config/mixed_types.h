/* SPDX-License-Identifier: MIT */
/* mixed_types.h - contact types between two materials, each made when two objects with them first meet. */
#ifndef PCM_CONFIG_MIXED_TYPES_H
#define PCM_CONFIG_MIXED_TYPES_H

#include "contact_type.h"
#include "hash_index.h"
#include "lock.h"

/* Worlds of many threads share it, and ask only for pairs of objects that are new to them. */
typedef struct pcm_mixed_types {
    pcm_lock   lock; /* of all below, and of the arena of the configuration once it is read */
    pcm_type **list;
    size_t     count, capacity;
    pcm_index  index; /* from type and materials to a place in the list, + 1 */
} pcm_mixed_types;

void pcm_mixed_types_start(pcm_mixed_types *mixed);
void pcm_mixed_types_free(pcm_context *context, pcm_mixed_types *mixed);

/* Reports what exact rules between surfaces lack of materials, or would make of them. */
struct pcm_reports;
void pcm_mixed_types_check(pcm_config *config, struct pcm_reports *reports);

#endif
