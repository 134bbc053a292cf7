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

/* has_lines: where standard error is no terminal, too: of work that may take any time. */
progress progress_start(bool has_lines);

/* Writes now and then: part of the work that is done, 0 to 1, and a short text. */
void progress_at(progress *bar, double part, const char *text);

/* Clears the bar. */
void progress_end(progress *bar);

#endif
