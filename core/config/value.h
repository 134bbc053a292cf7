/* SPDX-License-Identifier: MIT */
/* value.h - from the text behind a parameter's '=' to its value. */
#ifndef PCM_CORE_VALUE_H
#define PCM_CORE_VALUE_H

#include "quantity.h"

/* Turns what the node says into the value, whose param is set. False where it does not fit, which is reported. */
bool pcm_value_read(const pcm_value_reader *reader, const pcm_param_node *node, pcm_value *value);

#endif
