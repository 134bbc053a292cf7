/* SPDX-License-Identifier: MIT */
/* past.c - what contacts were once, for copies that were made then and go on only now. */
#include "host.h"

pcm_status pcm_past_keep(pcm_mujoco *from, pcm_pasts *pasts)
{
    pcm_context *context = from->context;
    const size_t size = pcm_checkpoint_bytes(from);
    if (!pasts->items)
        pasts->items = pcm_allocate(context, PCM_PASTS * sizeof *pasts->items);
    if (!pasts->items)
        return pcm_scene_no_memory(context);
    pcm_past *past = &pasts->items[pasts->count % PCM_PASTS];
    past->history = 0; /* until it is whole */
    if (!pcm_grow(context, &past->bytes, &past->room, size, 1))
        return pcm_scene_no_memory(context);
    const pcm_status status = pcm_checkpoint_write(from, past->bytes);
    if (status != PCM_OK)
        return status;
    past->history = from->history;
    past->time = from->now;
    past->size = size;
    pasts->count++;
    return PCM_OK;
}

const pcm_past *pcm_past_find(const pcm_pasts *pasts, uint64_t history, double time)
{
    for (size_t i = 0; history && pasts->items && i < PCM_PASTS; i++) {
        const pcm_past *past = &pasts->items[i];
        if (past->history == history && (isnan(time) || past->time == time))
            return past;
    }
    return NULL;
}

void pcm_pasts_free(pcm_context *context, pcm_pasts *pasts)
{
    for (size_t i = 0; pasts->items && i < PCM_PASTS; i++)
        pcm_free(context, pasts->items[i].bytes, pasts->items[i].room);
    pcm_free(context, pasts->items, pasts->items ? PCM_PASTS * sizeof *pasts->items : 0);
}
