/* SPDX-License-Identifier: MIT */
/* mixing.h - what the parameters of a law take from the properties of two materials. */
#ifndef PCM_CONFIG_MIXING_H
#define PCM_CONFIG_MIXING_H

#include "config.h"

/* What a contact type reads of materials. */
struct pcm_mixing {
    const pcm_param **properties; /* as pcm_model_properties has them */
    uint32_t         *numbers;    /* likewise: those of the configuration */
    uint32_t          count;
};

/* Lists what the type reads of materials, so that pairs of them can be mixed for it: type->mixing. */
void pcm_mixing_start(pcm_type *type, pcm_reports *reports);

/* Tells the configuration's materials what the type reads, once all types are made. False without memory. */
bool pcm_mixing_register(pcm_type *type, pcm_reports *reports);

/* Two materials that meet; NULL: a side has none. */
typedef struct pcm_meeting {
    const pcm_type     *type; /* as the file has it */
    const pcm_material *side[2];
    const char         *name[2]; /* of their surfaces; "" where that is not known */
    pcm_span            rule;    /* that brings them together; length 0: not known */
} pcm_meeting;

/* Whether the materials change anything: one of them states a property that the type reads, or the type has no value
 * of its own for a parameter. */
bool pcm_meeting_matters(const pcm_meeting *meeting);

/* Writes the values that come from both sides among those of the law's parameters. What is missing, or gives no number
 * within a parameter's range, is reported. */
void pcm_meeting_mix(const pcm_meeting *meeting, pcm_value *values, pcm_reports *reports);

/* What a side says of property `index` of the type, or the property's default; number NaN: it has none. */
pcm_value pcm_meeting_side(const pcm_meeting *meeting, size_t index, size_t side);

#endif
