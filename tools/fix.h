/* SPDX-License-Identifier: MIT */
/* fix.h - applies the fixes that diagnostics propose, and takes them back where they do not help. */
#ifndef PCM_TOOLS_FIX_H
#define PCM_TOOLS_FIX_H

#include <pcm/pcm.h>

/* What one reading of a file reports. */
typedef struct fix_list {
    struct fix_item *items;
    size_t           count, capacity;
    char           **errors; /* each error as text */
    size_t           n_errors, error_capacity;
    char           **groups; /* the text of each diagnostic with fixes; those of one belong together */
    size_t           n_groups, group_capacity;
    bool             no_memory; /* something could not be stored */
} fix_list;

/* The files as they were before fixes were applied. */
typedef struct fix_saved {
    struct fix_file *files;
    size_t           count;
} fix_saved;

enum { FIX_ALL = -1, FIX_NEW = -2 };

/* Stores a copy of the diagnostic, if it is an error, and of the fix that it proposes. */
void fix_collect(fix_list *list, const pcm_diagnostic *diagnostic);

/* Applies the fixes of one group, of all (FIX_ALL), or of those whose text is not among the groups of `before`
 * (FIX_NEW); of overlapping ones only the first. Returns how many were applied; reports files that could not be
 * written. */
size_t fix_apply(const fix_list *list, int group, const fix_list *before, fix_saved *saved);

/* Frees what fix_apply saved, and first writes it back if `back`. */
void fix_settle(fix_saved *saved, bool back);

/* Whether the second reading has fewer errors or fixes than the first, and no error that the first has not. */
bool fix_helped(const fix_list *before, const fix_list *after);

void fix_free(fix_list *list);

#endif
