/* SPDX-License-Identifier: MIT */
#include "whole_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads everything into memory that grows as needed: the size of a pipe is not known. */
static char *read_all(FILE *file, size_t *length)
{
    enum { FIRST_ROOM = 1 << 16 };
    size_t room = FIRST_ROOM, got;
    char  *text = malloc(room);
    *length = 0;
    if (!text)
        errno = ENOMEM;
    while (text && (got = fread(text + *length, 1, room - *length - 1, file)) > 0) {
        *length += got;
        if (*length > WHOLE_FILE_MOST) {
            errno = EFBIG;
            free(text);
            return NULL;
        }
        if (*length + 1 < room)
            continue;
        char *grown = realloc(text, room *= 2);
        if (!grown) {
            free(text);
            errno = ENOMEM;
        }
        text = grown;
    }
    if (text && ferror(file)) {
        free(text);
        return NULL;
    }
    if (text)
        text[*length] = '\0';
    return text;
}

char *whole_file(const char *path, size_t *length)
{
    FILE     *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char     *text = file ? read_all(file, length) : NULL;
    const int why = errno;
    if (file && file != stdin)
        (void)fclose(file);
    errno = why;
    return text;
}
