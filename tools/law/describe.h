/* SPDX-License-Identifier: MIT */
/* describe.h - what a law's tables say, as words: shared by models, explain and the pages of the laws. */
#ifndef PCM_TOOLS_LAW_DESCRIBE_H
#define PCM_TOOLS_LAW_DESCRIBE_H

#include <pcm/pcm.h>

#include "json.h"

typedef struct describe_text {
    char text[256];
} describe_text;

/* "real", "choice" ... */
const char *describe_kind(const pcm_param *param);

/* "N/m", or "" for what has no unit. */
const char *describe_unit(const pcm_param *param);

/* The values that the parameter takes: "> 0", "[0, 1]", "Cubic or Quintic", "true or false", "text". */
describe_text describe_range(const pcm_param *param);

/* Its default as a .pcm file would write it; "required" where there is none. */
describe_text describe_default(const pcm_param *param);

/* The same as a value; what is required has none. */
pcm_value describe_default_value(const pcm_param *param);

/* How the parameter comes from two materials, "geometric mean"; NULL: it does not. */
const char *describe_mixing(const pcm_param *param);

/* Whether materials give the value, or may, and the contact type does not. */
bool describe_waits(const pcm_type *type, const pcm_value *value);

/* A value of a contact type as a .pcm file would write it, without its unit. */
describe_text describe_value(const pcm_value *value);

/* Writes a value as JSON: a number, true or false, a text or an array. */
void describe_json(json *j, const char *key, const pcm_value *value);

typedef struct describe_line {
    char text[3200];
} describe_line;

extern const char *const describe_kinds[]; /* of rules: "ObjectPair" ... */

/* A name as a rule writes it: what is no plain word stands in quotes. */
describe_line describe_name(const char *name);
describe_line describe_rule(const pcm_rule_info *rule);

/* FILE:LINE:COLUMN */
describe_text describe_place(const pcm_place *place);

/* The columns that a law reads and writes: their names as pcm rig has them, called with each bit that is set. */
typedef struct describe_column {
    uint32_t    bit;
    const char *names, *unit, *doc;
} describe_column;
extern const describe_column describe_inputs[], describe_outputs[]; /* ended by bit 0 */

#endif
