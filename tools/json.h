/* SPDX-License-Identifier: MIT */
/* json.h - the one writer of JSON. Keys are given inside objects and are NULL inside arrays. */
#ifndef PCM_TOOLS_JSON_H
#define PCM_TOOLS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE    *out;
    unsigned depth;
    bool     has_items; /* in the object or array that is open */
} json;

void json_begin_object(json *j, const char *key);
void json_begin_array(json *j, const char *key);
void json_end_object(json *j);
void json_end_array(json *j);

/* Texts that are no UTF-8 have their bad bytes replaced by U+FFFD. NULL gives null. */
void json_text(json *j, const char *key, const char *text);
void json_number(json *j, const char *key, double value); /* null where it is not finite */
void json_integer(json *j, const char *key, int64_t value);
void json_bool(json *j, const char *key, bool value);

#endif
