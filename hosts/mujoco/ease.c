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

double pcm_ease_depth(const pcm_mujoco *host, const pcm_spot *spot, double time)
{
    const double left = 1 - (time - host->ease_start) / host->ease_time;
    return left > 0 ? spot->depth - left * host->overlaps[spot->pair] : spot->depth;
}

void pcm_ease_free(pcm_mujoco *host)
{
    pcm_free(host->context, host->overlaps, host->overlaps ? host->n_pairs * sizeof *host->overlaps : 0);
    host->overlaps = NULL;
}
