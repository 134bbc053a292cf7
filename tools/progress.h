/* SPDX-License-Identifier: MIT */
/* progress.h - what standard error shows while long work goes on: a bar where it is a terminal, lines elsewhere. */
#ifndef PCM_TOOLS_PROGRESS_H
#define PCM_TOOLS_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool   is_terminal;
    double start, last; /* s, of the clock: of the work, of what was written last */
    double every;       /* s, at least, between two that are written; INFINITY: none are */
} progress;

/* A bar ten times a second on a terminal; elsewhere a line every ten seconds. */
progress progress_start(void);

/* Whether something is written now: whoever would have to put its text together asks first. */
bool progress_due(const progress *bar);

/* Writes now and then: part of the work that is done, 0 to 1, and a short text. */
void progress_at(progress *bar, double part, const char *text);

/* Clears the bar. */
void progress_end(progress *bar);

#endif
