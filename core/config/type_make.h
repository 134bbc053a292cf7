/* SPDX-License-Identifier: MIT */
/* type_make.h - from values of parameters to the prepared parameters of a law. */
#ifndef PCM_CONFIG_TYPE_MAKE_H
#define PCM_CONFIG_TYPE_MAKE_H

#include "config.h"

/* The origin of values that are not written in the contact type itself. */
typedef struct pcm_type_origin {
    pcm_span    place; /* length 0: none */
    const char *text;
} pcm_type_origin;

typedef struct pcm_type_maker {
    pcm_config      *config;
    pcm_arena       *arena; /* of the type and its parameters */
    pcm_reports     *reports;
    const pcm_model *model;
    const pcm_parts *parts;  /* NULL: the model is a plugin's */
    pcm_value       *values; /* values of the law's parameters, then of the common ones; the type keeps them */
    pcm_span         name;   /* of the contact type */
    /* Places of the parameters' names, indexed like values; length 0 if not written. NULL: none is known. */
    const pcm_span *places;
    pcm_type_origin origins[2];
    bool            open;    /* some values come only from materials: make no parameters yet */
    pcm_message    *refusal; /* prepare's reason for rejecting the parameters */
} pcm_type_maker;

/* The contact type, without a name and an index among the others. NULL on an error, which is reported. */
pcm_type *pcm_type_make(pcm_type_maker *maker);

/* Writes a value into its field of a parameter struct. */
void pcm_value_write(void *block, const pcm_value *value);

/* Whether a `when` text of the model holds under values that may not be all known yet. */
bool pcm_values_when(const pcm_model *model, const pcm_value *values, const char *when);

#endif
