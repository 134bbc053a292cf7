/* SPDX-License-Identifier: MIT */
/* gnuplot.h - draws pictures with the program gnuplot. */
#ifndef PCM_TOOLS_GNUPLOT_H
#define PCM_TOOLS_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

/* A script that is being written. */
typedef struct gnuplot {
    FILE  *script;
    char  *text;
    size_t length;
} gnuplot;

/* False, with a report: no memory. */
bool gnuplot_open(gnuplot *g);

/* Ends the script and runs it. False, with a report: gnuplot failed; `what` names the picture in the report. */
bool gnuplot_draw(gnuplot *g, const char *what);

/* Ends the script and writes it to a file; false, with a report, on failure. */
bool gnuplot_save(gnuplot *g, const char *path);

/* Writes text as a quoted string of the script. */
void gnuplot_quote(FILE *script, const char *text);

#endif
