/* SPDX-License-Identifier: MIT */
/* table.h - columns of logs over time. */
#ifndef PCM_TOOLS_PLOT_TABLE_H
#define PCM_TOOLS_PLOT_TABLE_H

#include "options.h"
#include "picture.h"

/* Adds curves of these columns (force_n where none is named), one for each contact, from a log or a table of pcm rig.
 * False, and reported, where it lacks one. prefixed: names begin with that of the file. */
bool table_add(picture *p, const char *path, const option_texts *columns, bool prefixed);

#endif
