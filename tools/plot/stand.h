/* SPDX-License-Identifier: MIT */
/* stand.h - one contact of a contact type, moved as a plot requires, on the rig but without a table. */
#ifndef PCM_TOOLS_PLOT_STAND_H
#define PCM_TOOLS_PLOT_STAND_H

#include "options.h"
#include "rig.h"

/* Position and velocity of the follower relative to the base; m, s. */
typedef enum stand_axis { STAND_DEPTH, STAND_RATE, STAND_WAY, STAND_SLIP, STAND_AXES } stand_axis;
typedef struct stand_place {
    double at[STAND_AXES];
} stand_place;

/* An input of the law: its constant value, and the part that depends on the position. */
typedef struct stand_input {
    double     given, sign;
    stand_axis axis; /* STAND_AXES: it does not depend on the position */
} stand_input;

typedef struct stand {
    rig_law      law;
    stand_input *inputs;
    bool         is_spoilt; /* a force was not finite; first there */
    stand_place  spoilt;
} stand;

/* Opens the stand for a contact type; inputs are "NAME=VALUE" for other columns that the law reads. False, with a
 * report: one is missing or not a number. Close it in either case. */
bool stand_open(stand *s, const pcm_type *type, const option_texts *inputs);
void stand_close(stand *s);

/* Whether the law has an input of that name, whose length is `length` bytes. */
bool stand_has_input(const stand *s, const char *name, size_t length);

/* Starts a new contact, which has not begun to touch. */
void stand_begin(stand *s);

/* Moves the contact to that position at that time. Results are in s->law.batch, lane 0; 0 without contact. */
void stand_step(stand *s, double time, stand_place place);

#endif
