/* SPDX-License-Identifier: MIT */
/* utf8.h - text from anywhere, made fit to be shown. */
#ifndef PCM_GRAMMAR_UTF8_H
#define PCM_GRAMMAR_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the character at text, of which length > 0 are there; 0 where it is no valid one or a control. */
static inline size_t pcm_utf8_shown(const char *text, size_t length)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (*byte < 0x80)
        return *byte >= 0x20 && *byte != 0x7f;
    size_t bytes = *byte >= 0xc2 && *byte <= 0xdf   ? 2
                   : *byte >= 0xe0 && *byte <= 0xef ? 3
                   : *byte >= 0xf0 && *byte <= 0xf4 ? 4
                                                    : 0;
    if (bytes == 0 || bytes > length || (*byte == 0xc2 && byte[1] < 0xa0))
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    return bytes;
}

enum { PCM_ESCAPE_BYTES = 4 };

/* Writes \xNN, without a NUL. */
static inline void pcm_escape(char text[PCM_ESCAPE_BYTES], char byte)
{
    static const char digits[] = "0123456789abcdef";
    text[0] = '\\';
    text[1] = 'x';
    text[2] = digits[(unsigned char)byte >> 4];
    text[3] = digits[(unsigned char)byte & 15];
}

#endif
