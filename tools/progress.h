/* SPDX-License-Identifier: MIT */
/* progress.h - progress of long work on standard error: a bar on a terminal, lines elsewhere. */
#ifndef PCM_TOOLS_PROGRESS_H
#define PCM_TOOLS_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool   is_terminal;
    double start, last; /* s, on the clock: start of the work, and last output */
    double every;       /* s, the least time between two outputs; INFINITY: no output */
} progress;

/* s, on the clock that never goes back. */
double progress_clock(void);

/* Shows a bar ten times a second on a terminal; writes a line every ten seconds elsewhere. */
progress progress_start(void);

/* Whether output is due. Call it first if the text takes time to make. */
bool progress_due(const progress *bar);

/* Writes output if it is due: the fraction of the work that is done, 0 to 1, and a short text. */
void progress_at(progress *bar, double part, const char *text);

/* Clears the bar. */
void progress_end(progress *bar);

#endif
