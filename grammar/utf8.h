/* SPDX-License-Identifier: MIT */
/* utf8.h - makes any text printable. */
#ifndef PCM_GRAMMAR_UTF8_H
#define PCM_GRAMMAR_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whether the character of these bytes changes the direction of the text around it, or ends a line: U+061C, U+200E,
 * U+200F, U+2028 to U+202E, U+2066 to U+2069. */
static inline bool pcm_utf8_directs(const unsigned char *byte, size_t bytes)
{
    if (bytes == 2)
        return byte[0] == 0xd8 && byte[1] == 0x9c;
    if (bytes != 3 || byte[0] != 0xe2)
        return false;
    return byte[1] == 0x80 ? byte[2] == 0x8e || byte[2] == 0x8f || (byte[2] >= 0xa8 && byte[2] <= 0xae)
                           : byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9;
}

/* The bytes of the character at text, which has length > 0 bytes and begins with a byte >= 0x80; 0 if it is invalid. */
static inline size_t pcm_utf8_bytes(const char *text, size_t length)
{
    const unsigned char *byte = (const unsigned char *)text;
    const size_t         bytes = *byte >= 0xc2 && *byte <= 0xdf   ? 2
                                 : *byte >= 0xe0 && *byte <= 0xef ? 3
                                 : *byte >= 0xf0 && *byte <= 0xf4 ? 4
                                                                  : 0;
    if (bytes > length)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    return bytes;
}

/* The code of a character of that many bytes, at least two. */
static inline uint32_t pcm_utf8_code(const char *text, size_t bytes)
{
    const unsigned char *byte = (const unsigned char *)text;
    uint32_t             code = bytes == 2 ? byte[0] & 0x1fu : bytes == 3 ? byte[0] & 0x0fu : byte[0] & 0x07u;
    for (size_t i = 1; i < bytes; i++)
        code = code << 6 | (byte[i] & 0x3fu);
    return code;
}

/* As pcm_utf8_bytes, for any byte; 0 also for a control character and for one that changes direction. */
static inline size_t pcm_utf8_shown(const char *text, size_t length)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (*byte < 0x80)
        return *byte >= 0x20 && *byte != 0x7f;
    const size_t bytes = pcm_utf8_bytes(text, length);
    if (bytes == 0 || (*byte == 0xc2 && byte[1] < 0xa0))
        return 0;
    return pcm_utf8_directs(byte, bytes) ? 0 : bytes;
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

/* What is shown of the first bytes of a text: one character, or \xNN for one byte. */
typedef struct pcm_shown_piece {
    char   text[PCM_ESCAPE_BYTES];
    size_t length, bytes; /* of what is shown; of the text */
} pcm_shown_piece;

static inline pcm_shown_piece pcm_shown_next(const char *text, size_t length)
{
    const size_t    bytes = pcm_utf8_shown(text, length);
    pcm_shown_piece piece = {.length = bytes > 0 ? bytes : PCM_ESCAPE_BYTES, .bytes = bytes > 0 ? bytes : 1};
    if (bytes > 0)
        memcpy(piece.text, text, bytes);
    else
        pcm_escape(piece.text, *text);
    return piece;
}

/* Whether a spreadsheet that opens a table runs the text as a formula. */
static inline bool pcm_is_formula(const char *text)
{
    return *text == '=' || *text == '+' || *text == '-' || *text == '@';
}

#endif
