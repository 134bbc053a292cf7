/* SPDX-License-Identifier: MIT */
/* exponents.h - units with an exponent that is another parameter of the law: N/m^Exponent. */
#ifndef PCM_CONFIG_EXPONENTS_H
#define PCM_CONFIG_EXPONENTS_H

#include "model.h"
#include "quantity.h"

/* Whether the unit is known: it has no such exponent, or the exponent has been evaluated. */
bool pcm_unit_is_known(const pcm_param *param);

/* The index of the parameter with that name; the number of parameters: there is none. */
size_t pcm_param_find(const pcm_model *model, const char *name, size_t length);

/* The index of the parameter that is the first exponent in a unit that is not known. */
size_t pcm_exponent_param(const pcm_model *model, const pcm_param *param);

/* Gives each value whose unit is not known a parameter with the unit that follows from the values of the exponents. If
 * an exponent is not a number, the unit stays unknown; an exponent that no unit can have is reported at the place. */
void pcm_units_settle(const pcm_value_reader *reader, const pcm_model *model, pcm_value *values, pcm_span place);

/* Whether two units have the same dimension. */
bool pcm_units_agree(const char *a, const char *b);

#endif
