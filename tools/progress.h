/* SPDX-License-Identifier: MIT */
/* progress.h - a bar on standard error while long work goes on, where that is a terminal. */
#ifndef PCM_TOOLS_PROGRESS_H
#define PCM_TOOLS_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool   shown;
    double start, last; /* s, of the clock: of the work, of what is drawn */
} progress;

progress progress_start(void);

/* Redraws now and then: part of the work that is done, 0 to 1, and a short text. */
void progress_at(progress *bar, double part, const char *text);

/* Clears the line. */
void progress_end(progress *bar);

#endif
