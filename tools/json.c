/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <pcm/pcm.h>
#include <string.h>

/* The number of bytes of the UTF-8 character at text; 0: there is none. */
static size_t character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const size_t length = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xC0) != 0x80)
            return 0;
    const bool overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
    const bool outside = (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF4 && c[1] > 0x8F);
    return overlong || outside ? 0 : length;
}

static void put_text(json *j, const char *text)
{
    (void)fputc('"', j->out);
    while (*text) {
        const size_t length = character(text);
        if (length == 0)
            (void)fputs("\xEF\xBF\xBD", j->out);
        else if (*text == '"' || *text == '\\')
            (void)fprintf(j->out, "\\%c", *text);
        else if (*text == '\n')
            (void)fputs("\\n", j->out);
        else if ((unsigned char)*text < 0x20)
            (void)fprintf(j->out, "\\u%04x", (unsigned)*text);
        else
            (void)fwrite(text, 1, length, j->out);
        text += length ? length : 1;
    }
    (void)fputc('"', j->out);
}

static void new_line(json *j) { (void)fprintf(j->out, "\n%*s", (int)(2 * j->depth), ""); }

static void start_item(json *j, const char *key)
{
    if (j->has_items)
        (void)fputc(',', j->out);
    if (j->depth > 0)
        new_line(j);
    if (key) {
        put_text(j, key);
        (void)fputs(": ", j->out);
    }
    j->has_items = true;
}

static void begin(json *j, const char *key, char bracket)
{
    start_item(j, key);
    (void)fputc(bracket, j->out);
    j->depth++;
    j->has_items = false;
}

static void end(json *j, char bracket)
{
    j->depth--;
    if (j->has_items)
        new_line(j);
    (void)fputc(bracket, j->out);
    j->has_items = true;
    if (j->depth == 0)
        (void)fputc('\n', j->out);
}

void json_begin_object(json *j, const char *key) { begin(j, key, '{'); }
void json_begin_array(json *j, const char *key) { begin(j, key, '['); }
void json_end_object(json *j) { end(j, '}'); }
void json_end_array(json *j) { end(j, ']'); }

void json_text(json *j, const char *key, const char *text)
{
    start_item(j, key);
    if (text)
        put_text(j, text);
    else
        (void)fputs("null", j->out);
}

void json_number(json *j, const char *key, double value)
{
    char text[PCM_NUMBER_SIZE] = "null";
    if (isfinite(value))
        (void)pcm_number_write(value, 0, text);
    start_item(j, key);
    (void)fputs(text, j->out);
}

void json_integer(json *j, const char *key, int64_t value)
{
    start_item(j, key);
    (void)fprintf(j->out, "%" PRId64, value);
}

void json_bool(json *j, const char *key, bool value)
{
    start_item(j, key);
    (void)fputs(value ? "true" : "false", j->out);
}
