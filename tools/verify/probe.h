/* SPDX-License-Identifier: MIT */
/* probe.h - the forces at one motion and state, as a function that can be asked again and again. */
#ifndef PCM_TOOLS_VERIFY_PROBE_H
#define PCM_TOOLS_VERIFY_PROBE_H

#include "lanes.h"

enum { PROBE_FORCES = 6 };
extern const char *const probe_names[PROBE_FORCES]; /* force_x, force_y, force_n, then the moments */

typedef struct probe {
    subject *subject;
    motion   at; /* one lane; to be changed */
    lanes    lanes;
} probe;

/* A probe at that lane of a motion. False without memory. */
bool probe_open(probe *p, subject *s, const motion *m, size_t lane);
void probe_close(probe *p);

/* Evaluates the law: forces gets PROBE_FORCES numbers (0 for what it does not declare), the lanes keep the rest. */
void probe_ask(probe *p, double *forces);

/* The forces of the last answer. */
void probe_forces(const probe *p, double *forces);

/* Sets the states to those of a contact that begins here. */
void probe_begin(probe *p);

/* The first of the states in a row. */
double *probe_states(probe *p);

/* The length of forces, with moments as they are. */
double probe_length(const double *forces);

#endif
