/* SPDX-License-Identifier: MIT */
/* kinds.h - the properties of each kind of parameter. A new kind is a word in plugin.h, a row in kinds.c, a reader
 * in value.c and a row in describe.c of tools; none of the three compiles without it. */
#ifndef PCM_CORE_KINDS_H
#define PCM_CORE_KINDS_H

#include <pcm/pcm.h>

typedef struct pcm_kind {
    const char *wanted;     /* the word for it in messages: "'K' wants a number" */
    size_t      field_size; /* bytes of its field in the law's struct */
    bool        is_number;  /* its default must lie in its range */
    void (*write)(void *field, const pcm_value *value);
} pcm_kind;

extern const pcm_kind pcm_kinds[]; /* PCM_KINDS of them */

/* The words that a parameter takes, ended by NULL; NULL for one that takes none. */
const char *const *pcm_kind_words(const pcm_param *param);

/* The value of a parameter that is not written. */
pcm_value pcm_kind_default(const pcm_param *param);

#endif
