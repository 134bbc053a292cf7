/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30 };

static double now(void)
{
    struct timespec clock;
    (void)clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

progress progress_start(void) { return (progress){.shown = isatty(STDERR_FILENO) == 1, .start = now()}; }

void progress_at(progress *bar, double part, const char *text)
{
    if (!bar->shown)
        return;
    const double time = now();
    if (time - bar->last < 0.1)
        return;
    bar->last = time;
    char      drawn[WIDTH + 1];
    const int full = part < 1 ? (int)(part * WIDTH) : WIDTH;
    for (int i = 0; i < WIDTH; i++)
        drawn[i] = i < full ? '#' : '.';
    drawn[WIDTH] = '\0';
    const double left = part > 0 ? (time - bar->start) * (1 - part) / part : 0;
    (void)fprintf(stderr, "\r[%s] %3.0f %%  %s  %.0f s left\033[K", drawn, 100 * part, text, left);
    (void)fflush(stderr);
}

void progress_end(progress *bar)
{
    if (bar->shown)
        (void)fputs("\r\033[K", stderr);
}
