/* SPDX-License-Identifier: MIT */
/* mixing.h - computes parameters of a law from the properties of two materials. */
#ifndef PCM_CONFIG_MIXING_H
#define PCM_CONFIG_MIXING_H

#include "config.h"

/* The properties that a contact type reads from materials. */
struct pcm_mixing {
    const pcm_param **properties; /* in the order of pcm_model_properties */
    uint32_t         *numbers;    /* their numbers in the configuration, in the same order */
    uint32_t          count;
};

/* Lists the properties that the type reads in type->mixing, so that pairs of materials can be mixed for it. */
void pcm_mixing_start(pcm_type *type, pcm_reports *reports);

/* Records with the configuration's materials which properties the type reads, once all types are made. False if there
 * is no memory. */
bool pcm_mixing_register(pcm_type *type, pcm_reports *reports);

/* Two materials that meet; NULL: a side has none. */
typedef struct pcm_meeting {
    const pcm_type     *type; /* the contact type of the file */
    const pcm_material *side[2];
    const char         *name[2]; /* of their surfaces; "" if not known */
    pcm_span            rule;    /* of the rule between them; length 0: not known */
} pcm_meeting;

/* Whether the materials change anything: one of them has a property that the type reads, or the type writes no value
 * for a parameter that has no default. */
bool pcm_meeting_matters(const pcm_meeting *meeting);

/* Whether a parameter that the type does not write must come from materials: it has no default, or it is a modulus and
 * the file has a Material. A default modulus, such as that of steel, would be wrong for these materials. */
bool pcm_needs_materials(const pcm_config *config, const pcm_param *param);

/* Writes the values that come from both sides among those of the law's parameters. Missing properties are added to the
 * lacks; values outside a parameter's range are reported. */
struct pcm_lacks;
void pcm_meeting_mix(const pcm_meeting *meeting, pcm_value *values, pcm_reports *reports, struct pcm_lacks *lacks);

/* A side's value of property `index` of the type, or the property's default; number NaN: neither exists. */
pcm_value pcm_meeting_side(const pcm_meeting *meeting, size_t index, size_t side);

#endif
