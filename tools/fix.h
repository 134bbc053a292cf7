/* SPDX-License-Identifier: MIT */
/* fix.h - applies the fixes that diagnostics propose. */
#ifndef PCM_TOOLS_FIX_H
#define PCM_TOOLS_FIX_H

#include <pcm/pcm.h>

typedef struct fix_list {
    struct fix_item *items;
    size_t           count, capacity;
    bool             no_memory; /* some fixes could not be stored: no memory */
} fix_list;

/* Stores a copy of the fix that the diagnostic proposes. */
void fix_collect(fix_list *list, const pcm_diagnostic *diagnostic);

/* Applies all fixes and empties the list; of overlapping ones only the first. Returns how many were applied; reports
 * files that could not be written. */
size_t fix_apply(fix_list *list);

void fix_free(fix_list *list);

#endif
