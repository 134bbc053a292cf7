/* SPDX-License-Identifier: MIT */
/* describe.h - a law's tables as words: for pcm models, pcm explain and the pages of the laws. */
#ifndef PCM_TOOLS_LAW_DESCRIBE_H
#define PCM_TOOLS_LAW_DESCRIBE_H

#include <pcm/pcm.h>

#include "json.h"

typedef struct describe_text {
    char text[256];
} describe_text;

/* "real", "choice" ... */
const char *describe_kind(const pcm_param *param);

/* "N/m", or "" if it has no unit. */
const char *describe_unit(const pcm_param *param);

/* The range of the parameter: "> 0", "[0, 1]", "Cubic or Quintic", "true or false", "text". */
describe_text describe_range(const pcm_param *param);

/* The default as a .pcm file would write it; "required" if there is none. */
describe_text describe_default(const pcm_param *param);

/* The default as a value; 0 if there is none. */
pcm_value describe_default_value(const pcm_param *param);

/* How the value is computed from two materials, such as "geometric mean"; NULL: it is not. */
const char *describe_mixing(const pcm_param *param);

/* Whether the value comes, or may come, from materials instead of the contact type. */
bool describe_waits(const pcm_type *type, const pcm_value *value);

/* A value of a contact type as a .pcm file would write it, without its unit. */
describe_text describe_value(const pcm_value *value);

/* Writes a value as JSON: a number, true or false, a text or an array. */
void describe_json(json *j, const char *key, const pcm_value *value);

typedef struct describe_line {
    char text[3200];
} describe_line;

extern const char *const describe_kinds[]; /* the statement of a rule: "ObjectPair" ... */

/* A name as a rule writes it: in quotes, unless it is a plain word. */
describe_line describe_name(const char *name);
describe_line describe_rule(const pcm_rule_info *rule);

/* FILE:LINE:COLUMN */
describe_text describe_place(const pcm_place *place);

/* The columns that a law reads and writes, by their names in pcm rig: calls visit for each bit that is set. */
typedef struct describe_column {
    uint32_t    bit;
    const char *names, *unit, *doc;
} describe_column;
extern const describe_column describe_inputs[], describe_outputs[]; /* ended by bit 0 */

#endif
