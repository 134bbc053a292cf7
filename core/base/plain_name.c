/* SPDX-License-Identifier: MIT */
#include "plain_name.h"

#include <stddef.h>

bool pcm_name_plain(const char *name)
{
    size_t length = 0;
    for (; name[length]; length++) {
        const char c = name[length];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(length > 0 && c >= '0' && c <= '9'))
            return false;
    }
    return length > 0 && length <= PCM_NAME_MAX;
}
