/* SPDX-License-Identifier: MIT */
/* replace_plain.c - implements replace.h where files have no modes and nothing is synced to a disk: writes in place. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "replace.h"

const char *replace_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return strerror(errno);
    const bool written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written ? NULL : strerror(errno);
}
