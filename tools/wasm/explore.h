/* SPDX-License-Identifier: MIT */
/* explore.h - what the explorer's page asks: a text is read, and one contact of a type is moved. One program, one page.
 *
 * Texts that functions return are JSON, and live until the next one. */
#ifndef PCM_TOOLS_WASM_EXPLORE_H
#define PCM_TOOLS_WASM_EXPLORE_H

#include <pcm/pcm.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* Takes a law; what is wrong with it is in the answer, and it is not taken then. */
EXPORT(page_link) const char *page_link(const pcm_library *entry);

/* Reads the text. What was read before stays in use where it has errors. */
EXPORT(page_read) const char *page_read(const char *name, const char *text);

/* Puts one contact of the type on the rig. between: two surfaces in two lines, or an empty text; given: NAME=NUMBER in
 * lines, for what the law reads beside the motion. What is missing is on standard error. */
EXPORT(page_open) const char *page_open(const char *name, char *between, char *given);

/* Room for rows of motion, MOTION columns each, until the next call. */
EXPORT(page_motion) double *page_motion(size_t rows);

/* Moves the contact through the rows of motion. Returns as many rows of results, or NULL without memory. */
EXPORT(page_run) const double *page_run(size_t rows);

/* What follows from the parameters. */
EXPORT(page_derived)
const char *page_derived(double force, double depth, double speed, double mass, double radius);

#endif
