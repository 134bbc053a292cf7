/* SPDX-License-Identifier: MIT */
/* whole_file.h - a file in memory. */
#ifndef PCM_TOOLS_WHOLE_FILE_H
#define PCM_TOOLS_WHOLE_FILE_H

#include <stddef.h>

enum { WHOLE_FILE_MOST = 1 << 30 }; /* bytes */

/* The bytes of a file, or of standard input for "-", followed by a NUL; the caller frees them. NULL, with errno set: it
 * cannot be read, it is larger than WHOLE_FILE_MOST (EFBIG), or there is no memory. */
char *whole_file(const char *path, size_t *length);

#endif
