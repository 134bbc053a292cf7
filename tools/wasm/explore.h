/* SPDX-License-Identifier: MIT */
/* explore.h - the functions that the explorer's page calls besides those of reading.h: move one contact of a type. */
#ifndef PCM_TOOLS_WASM_EXPLORE_H
#define PCM_TOOLS_WASM_EXPLORE_H

#include "reading.h"

/* Puts one contact of the type on the rig. between: two surfaces on two lines, or an empty text; given: NAME=NUMBER
 * lines, for other inputs that the law reads. A missing input is reported on standard error. */
EXPORT(page_open) const char *page_open(const char *name, char *between, char *given);

/* Room for this many rows of motion, with MOTION columns each, valid until the next call. */
EXPORT(page_motion) double *page_motion(size_t rows);

/* Moves the contact through the rows of motion. Returns one row of results for each; NULL: no memory. */
EXPORT(page_run) const double *page_run(size_t rows);

/* The quantities that follow from the parameters. */
EXPORT(page_derived)
const char *page_derived(double force, double depth, double speed, double mass, double radius);

#endif
