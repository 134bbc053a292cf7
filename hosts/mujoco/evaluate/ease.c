/* SPDX-License-Identifier: MIT */
/* ease.c - makes objects that overlap at the start separate slowly: their overlap is subtracted from their depths,
 * fully at first, then less and less until the time is over. */
#include "evaluation.h"
#include <string.h>

static bool has_room(pcm_mujoco *host)
{
    pcm_evaluation *e = host->evaluation;
    const size_t    pairs = host->detection->n_pairs;
    if (!e->overlaps && pairs)
        e->overlaps = pcm_allocate(host->context, pairs * sizeof *e->overlaps);
    return e->overlaps || !pairs;
}

/* Takes the overlaps of the points in seen as those of the start. */
static void measure(pcm_mujoco *host, double time, double seconds)
{
    pcm_evaluation           *e = host->evaluation;
    const pcm_contact_points *seen = &host->detection->seen;
    memset(e->overlaps, 0, host->detection->n_pairs * sizeof *e->overlaps);
    for (size_t i = 0; i < seen->count; i++) {
        double *overlap = &e->overlaps[seen->items[i].pair];
        *overlap = fmax(*overlap, seen->items[i].depth);
    }
    e->ease_start = time;
    e->ease_time = seconds;
}

pcm_status pcm_ease_start(pcm_mujoco *host, double seconds)
{
    if (!has_room(host))
        return pcm_host_no_memory(host->context);
    if (host->evaluation->overlaps)
        measure(host, host->data->time, seconds);
    return PCM_OK;
}

pcm_status pcm_ease_each(pcm_mujoco *host, double seconds)
{
    pcm_evaluation *e = host->evaluation;
    if (!(seconds > 0))
        return PCM_OK;
    e->ease_each = seconds;
    e->ease_due = true;
    return has_room(host) ? PCM_OK : pcm_host_no_memory(host->context);
}

/* A start lasts as long as the time stands still: a program may evaluate before it has set all positions. */
static bool is_start(const pcm_evaluation *e, double time)
{
    return e->ease_due || (e->ease_each > 0 && time == e->ease_start);
}

void pcm_ease_depths(pcm_mujoco *host, double time)
{
    pcm_detection  *d = host->detection;
    pcm_evaluation *e = host->evaluation;
    if (is_start(e, time))
        measure(host, time, e->ease_due ? e->ease_each : e->ease_time);
    e->ease_due = false;
    const double left = 1 - (time - e->ease_start) / e->ease_time;
    pcm_world_judge(host->world, !(left > 0));
    for (size_t i = 0; left > 0 && i < d->seen.count; i++)
        d->seen.items[i].depth -= left * e->overlaps[d->seen.items[i].pair];
}

void pcm_ease_restart(pcm_mujoco *host)
{
    if (host->evaluation->ease_each > 0)
        host->evaluation->ease_due = true;
    else
        pcm_ease_free(host);
}

void pcm_ease_free(pcm_mujoco *host)
{
    pcm_evaluation *e = host->evaluation;
    if (e->overlaps)
        pcm_world_judge(host->world, true);
    pcm_free(host->context, e->overlaps, e->overlaps ? host->detection->n_pairs * sizeof *e->overlaps : 0);
    e->overlaps = NULL;
}
