/* SPDX-License-Identifier: MIT */
/* ending.h - what the name of a file ends with. */
#ifndef PCM_TOOLS_ENDING_H
#define PCM_TOOLS_ENDING_H

#include <stdbool.h>
#include <string.h>

static inline bool ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

#endif
