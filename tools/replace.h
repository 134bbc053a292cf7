/* SPDX-License-Identifier: MIT */
/* replace.h - a file that another takes the place of, all or nothing. */
#ifndef PCM_TOOLS_REPLACE_H
#define PCM_TOOLS_REPLACE_H

#include <stddef.h>

/* Puts the bytes in place of what the file holds: they are written beside it, brought to the disk, and then take its
 * place, so that a full disk or a lost power leaves the one or the other. Links are followed, and the file keeps its
 * mode; there need be none yet. Returns NULL, or why the file is as it was. */
const char *replace_file(const char *path, const void *bytes, size_t size);

#endif
