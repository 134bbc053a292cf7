/* SPDX-License-Identifier: MIT */
/* past.c - commits, and snapshots of the committed contacts for copies that are resumed later. */
#include "life.h"

pcm_status pcm_past_write(pcm_mujoco *from, pcm_past *past)
{
    const size_t size = pcm_checkpoint_bytes(from);
    past->history = 0; /* marks it as invalid until it is complete */
    if (!pcm_grow(from->context, &past->bytes, &past->room, size, 1))
        return pcm_host_no_memory(from->context);
    const pcm_status status = pcm_checkpoint_write(from, past->bytes);
    if (status != PCM_OK)
        return status;
    past->history = from->life->history;
    past->time = from->life->now;
    past->size = size;
    return PCM_OK;
}

pcm_status pcm_past_keep(pcm_mujoco *from, pcm_pasts *pasts)
{
    pcm_context *context = from->context;
    if (!pasts->items)
        pasts->items = pcm_allocate(context, PCM_PASTS * sizeof *pasts->items);
    if (!pasts->items)
        return pcm_host_no_memory(context);
    const pcm_status status = pcm_past_write(from, &pasts->items[pasts->count % PCM_PASTS]);
    if (status == PCM_OK)
        pasts->count++;
    return status;
}

bool pcm_past_is(const pcm_past *past, uint64_t history, double time)
{
    return history && past->history == history && (isnan(time) || past->time == time);
}

const pcm_past *pcm_past_find(const pcm_pasts *pasts, uint64_t history, double time)
{
    for (size_t i = 0; pasts->items && i < PCM_PASTS; i++)
        if (pcm_past_is(&pasts->items[i], history, time))
            return &pasts->items[i];
    return NULL;
}

void pcm_pasts_free(pcm_context *context, pcm_pasts *pasts)
{
    for (size_t i = 0; pasts->items && i < PCM_PASTS; i++)
        pcm_free(context, pasts->items[i].bytes, pasts->items[i].room);
    pcm_free(context, pasts->items, pasts->items ? PCM_PASTS * sizeof *pasts->items : 0);
}

/* ---- Commits ----------------------------------------------------------------------------------------------------- */

pcm_status pcm_past_commit(pcm_mujoco *host, double time)
{
    pcm_life *life = host->life;
    life->now = time;
    life->next = NAN;
    life->drifted = NAN;
    host->evaluation->pending = 0;
    pcm_history_remember(host);
    pcm_status status = pcm_world_commit(host->world);
    if (status == PCM_OK)
        status = pcm_detect_keep(host);
    if (status != PCM_OK || life->keeps == 0)
        return status;
    life->keeps--;
    return pcm_past_keep(host, &life->steps);
}

/* Commits the last step of a copy. Its data may be gone; under RK4 a step ends with an evaluation, which needs the
 * data. */
void pcm_past_end_step(pcm_mujoco *copy, double time)
{
    if (!pcm_history_has_stages(copy) && pcm_history_has_stepped(copy, time))
        pcm_host_note(copy, pcm_past_commit(copy, time));
}
