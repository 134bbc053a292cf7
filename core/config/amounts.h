/* SPDX-License-Identifier: MIT */
/* amounts.h - the amounts of objects that the laws of a configuration use, each name once. */
#ifndef PCM_CONFIG_AMOUNTS_H
#define PCM_CONFIG_AMOUNTS_H

#include "contact_type.h"
#include "model.h"

typedef struct pcm_amounts {
    const pcm_amount *list[PCM_MAX_AMOUNTS];
    const pcm_type   *type[PCM_MAX_AMOUNTS]; /* the first whose law has it */
    uint32_t          count;
} pcm_amounts;

/* Adds the amounts of a type's law. Returns the one that cannot be added, because another law gives its name another
 * meaning or because there are too many; NULL: all were added. */
const pcm_amount *pcm_amounts_add(pcm_amounts *amounts, const pcm_type *type);

/* The number of the amount of that name, which must exist. */
uint32_t pcm_amounts_find(const pcm_amounts *amounts, const char *name);

/* The amounts of the type's configuration. */
const pcm_amounts *pcm_amounts_of(const pcm_type *type);

#endif
