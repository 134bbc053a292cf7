/* SPDX-License-Identifier: MIT */
/* fix.h - the fixes that diagnostics carry, made in their files. */
#ifndef PCM_TOOLS_FIX_H
#define PCM_TOOLS_FIX_H

#include <pcm/pcm.h>

typedef struct fix_list {
    struct fix_item *items;
    size_t           count, capacity;
    bool             no_memory; /* some could not be kept */
} fix_list;

/* Keeps a copy of what the diagnostic proposes. */
void fix_collect(fix_list *list, const pcm_diagnostic *diagnostic);

/* Makes all of them and forgets them; of those that overlap the first alone. Returns how many were made, after saying
 * which file could not be written. */
size_t fix_apply(fix_list *list);

void fix_free(fix_list *list);

#endif
