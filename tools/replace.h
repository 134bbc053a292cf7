/* SPDX-License-Identifier: MIT */
/* replace.h - replaces a file as a whole or not at all. */
#ifndef PCM_TOOLS_REPLACE_H
#define PCM_TOOLS_REPLACE_H

#include <stddef.h>

/* Replaces the contents of the file: writes the bytes to a new file next to it, syncs that to the disk, and renames it,
 * so that a full disk or a power failure leaves either the old file or the new one. Links are followed, and the file
 * keeps its mode; it need not exist. Returns NULL on success, else the reason why the file is unchanged. */
const char *replace_file(const char *path, const void *bytes, size_t size);

#endif
