/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30 };

double progress_clock(void)
{
    struct timespec clock;
    (void)clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

progress progress_start(void)
{
    const bool   is_terminal = isatty(STDERR_FILENO) == 1;
    const double start = progress_clock();
    return (progress){.is_terminal = is_terminal, .start = start, .last = start, .every = is_terminal ? 0.1 : 10};
}

bool progress_due(const progress *bar) { return !isinf(bar->every) && progress_clock() - bar->last >= bar->every; }

void progress_at(progress *bar, double part, const char *text)
{
    if (!progress_due(bar))
        return;
    const double time = progress_clock(), left = part > 0 ? (time - bar->start) * (1 - part) / part : 0;
    bar->last = time;
    if (!bar->is_terminal) {
        (void)fprintf(stderr, "%.0f %%: %s, %.0f s left\n", 100 * part, text, left);
        return;
    }
    char      drawn[WIDTH + 1];
    const int full = part < 1 ? (int)(part * WIDTH) : WIDTH;
    for (int i = 0; i < WIDTH; i++)
        drawn[i] = i < full ? '#' : '.';
    drawn[WIDTH] = '\0';
    (void)fprintf(stderr, "\r[%s] %3.0f %%  %s  %.0f s left\033[K", drawn, 100 * part, text, left);
    (void)fflush(stderr);
}

void progress_end(progress *bar)
{
    if (bar->is_terminal)
        (void)fputs("\r\033[K", stderr);
}
