/* SPDX-License-Identifier: MIT */
/* value.h - from the text after a parameter's '=' to its value. */
#ifndef PCM_CORE_VALUE_H
#define PCM_CORE_VALUE_H

#include "quantity.h"

/* What is wrong with a finite number for a parameter: "'Friction' is -1, but must be at least 0"; "": it is in range.
 */
typedef struct pcm_wrong {
    char text[400];
} pcm_wrong;
pcm_wrong pcm_number_wrong(const pcm_param *param, double number);

/* Reads the node into the value, whose param is set already. False if the value does not fit; this is reported. */
bool pcm_value_read(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value);

/* Adds a note of the first row in which the numbers of a column descend, or else stay equal, if the node is a column.
 */
void pcm_column_note(const pcm_value_reader *reader, const pcm_param_node *node, pcm_message *report);

#endif
