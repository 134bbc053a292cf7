/* SPDX-License-Identifier: MIT */
/* ease.c - makes objects that overlap at the start separate slowly: their overlap is subtracted from their depths,
 * fully at first, then less and less until the time is over. */
#include "evaluation.h"

pcm_status pcm_ease_start(pcm_mujoco *host, double seconds)
{
    pcm_evaluation           *e = host->evaluation;
    const pcm_contact_points *seen = &host->detection->seen;
    const size_t              pairs = host->detection->n_pairs;
    if (!pairs)
        return PCM_OK;
    e->overlaps = pcm_allocate(host->context, pairs * sizeof *e->overlaps);
    if (!e->overlaps)
        return pcm_host_no_memory(host->context);
    for (size_t i = 0; i < seen->count; i++) {
        double *overlap = &e->overlaps[seen->items[i].pair];
        *overlap = fmax(*overlap, seen->items[i].depth);
    }
    e->ease_start = host->data->time;
    e->ease_time = seconds;
    return PCM_OK;
}

void pcm_ease_depths(pcm_mujoco *host, double time)
{
    pcm_detection  *d = host->detection;
    pcm_evaluation *e = host->evaluation;
    const double    left = 1 - (time - e->ease_start) / e->ease_time;
    pcm_world_judge(host->world, !(left > 0));
    for (size_t i = 0; left > 0 && i < d->seen.count; i++)
        d->seen.items[i].depth -= left * e->overlaps[d->seen.items[i].pair];
}

void pcm_ease_free(pcm_mujoco *host)
{
    pcm_evaluation *e = host->evaluation;
    if (e->overlaps)
        pcm_world_judge(host->world, true);
    pcm_free(host->context, e->overlaps, e->overlaps ? host->detection->n_pairs * sizeof *e->overlaps : 0);
    e->overlaps = NULL;
}
