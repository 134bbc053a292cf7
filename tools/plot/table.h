/* SPDX-License-Identifier: MIT */
/* table.h - columns of logs over time. */
#ifndef PCM_TOOLS_PLOT_TABLE_H
#define PCM_TOOLS_PLOT_TABLE_H

#include "options.h"
#include "picture.h"

/* Adds curves of these columns (force_n if none is named), one for each contact, from a log or a table of pcm rig.
 * False, with a report: a column is missing. prefixed: names begin with the file's name. */
bool table_add(picture *p, const char *path, const option_texts *columns, bool prefixed);

#endif
