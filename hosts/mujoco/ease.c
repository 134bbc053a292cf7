/* SPDX-License-Identifier: MIT */
/* ease.c - objects that overlap at the start part slowly: what they overlap by then is taken off their depths, from all
 * of it to nothing within the time that is given. */
#include "host.h"
#include <pcm/messages.h>

pcm_status pcm_mujoco_ease(pcm_mujoco *host, double seconds)
{
    if (!(seconds > 0))
        return PCM_BAD_ARGUMENT;
    pcm_ease_free(host);
    const pcm_status status = pcm_mujoco_forward(host);
    if (status != PCM_OK || !host->n_pairs)
        return status;
    host->overlaps = pcm_allocate(host->context, host->n_pairs * sizeof *host->overlaps);
    if (!host->overlaps)
        return pcm_scene_no_memory(host->context);
    for (size_t i = 0; i < host->seen.count; i++) {
        double *overlap = &host->overlaps[host->seen.items[i].pair];
        *overlap = fmax(*overlap, host->seen.items[i].depth);
    }
    host->ease_start = host->data->time;
    host->ease_time = seconds;
    return PCM_OK;
}

void pcm_ease_depths(pcm_mujoco *host, double time)
{
    const double left = 1 - (time - host->ease_start) / host->ease_time;
    pcm_world_judge(host->world, !(left > 0));
    for (size_t i = 0; left > 0 && i < host->seen.count; i++)
        host->seen.items[i].depth -= left * host->overlaps[host->seen.items[i].pair];
}

void pcm_ease_free(pcm_mujoco *host)
{
    if (host->overlaps)
        pcm_world_judge(host->world, true);
    pcm_free(host->context, host->overlaps, host->overlaps ? host->n_pairs * sizeof *host->overlaps : 0);
    host->overlaps = NULL;
}
