/* SPDX-License-Identifier: MIT */
/* json.h - writes JSON; every command uses it. Keys are given inside objects and are NULL inside arrays. */
#ifndef PCM_TOOLS_JSON_H
#define PCM_TOOLS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE    *out;
    unsigned depth;
    bool     has_items; /* the open object or array already has items */
} json;

void json_begin_object(json *j, const char *key);
void json_begin_array(json *j, const char *key);
void json_end_object(json *j);
void json_end_array(json *j);

/* Bytes that are not UTF-8 become U+FFFD. NULL gives null. */
void json_text(json *j, const char *key, const char *text);
void json_number(json *j, const char *key, double value); /* null where it is not finite */
void json_integer(json *j, const char *key, int64_t value);
void json_bool(json *j, const char *key, bool value);

#endif
