/* SPDX-License-Identifier: MIT */
#include "series.h"

#include <stdlib.h>
#include <pcm/messages.h>

#include "command.h"

static bool grow(series *s, size_t capacity)
{
    double *times = realloc(s->times, capacity * sizeof *times);
    if (times)
        s->times = times;
    double *values = realloc(s->values, (capacity * s->columns + 1) * sizeof *values);
    if (values)
        s->values = values;
    if (!times || !values)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    else
        s->capacity = capacity;
    return times && values;
}

double *series_add(series *s, double time)
{
    if (s->rows == s->capacity && !grow(s, s->capacity ? 2 * s->capacity : 64))
        return NULL;
    s->times[s->rows] = time;
    return s->values + s->rows++ * s->columns;
}

void series_free(series *s)
{
    free(s->times);
    free(s->values);
    *s = (series){0};
}

/* The rows before and after a time, and the time's fraction of the interval between them. */
typedef struct between {
    size_t before, after;
    double part;
} between;

static between locate(const series *s, double time)
{
    size_t low = 0, high = s->rows - 1;
    while (low < high) { /* the first row at or after the time, or the last */
        const size_t middle = low + (high - low) / 2;
        if (s->times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    const size_t before = low && s->times[low] >= time ? low - 1 : low;
    const double span = s->times[low] - s->times[before];
    return (between){before, low, span > 0 ? (time - s->times[before]) / span : 0};
}

static double value_at(const series *s, const between *at, size_t column)
{
    const double from = s->values[at->before * s->columns + column], to = s->values[at->after * s->columns + column];
    return from + at->part * (to - from);
}

double series_value(const series *s, double time, size_t column)
{
    const between at = locate(s, time);
    return value_at(s, &at, column);
}

void series_at(const series *s, double time, double *values)
{
    if (!s->rows)
        return;
    const between at = locate(s, time);
    for (size_t i = 0; i < s->columns; i++)
        values[i] = value_at(s, &at, i);
}
