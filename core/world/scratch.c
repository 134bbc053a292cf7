/* SPDX-License-Identifier: MIT */
#include "pipeline.h"

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

pcm_scratch *pcm_scratch_new(pcm_context *context, const pcm_group *groups, size_t n_groups)
{
    size_t n_state = 0, n_host_inputs = 0, n_event = 0, n_flow = 0, n_shape = 0;
    for (size_t i = 0; i < n_groups; i++) {
        n_state = larger(n_state, groups[i].n_state);
        n_host_inputs = larger(n_host_inputs, groups[i].n_host_inputs);
        n_event = larger(n_event, groups[i].model->events.count);
        n_flow = larger(n_flow, groups[i].n_flow);
        n_shape = larger(n_shape, groups[i].n_shape ? PCM_ROW_SHAPE + 2 : 0);
    }
    /* Columns for amounts and shapes, and for next, rate, tried states, events and flows that are not kept. */
    size_t spare = 3 * n_state + n_event + 2 * n_flow + n_shape;
    size_t pointers = 3 * n_state + n_host_inputs + n_event + 2 * n_flow;
    size_t values = 2 * n_state + n_event + n_flow;
    size_t bytes =
        sizeof(pcm_scratch) + spare * sizeof(pcm_column) + pointers * sizeof(double *) + values * sizeof(double);
    pcm_scratch *s = pcm_allocate(context, bytes);
    if (!s)
        return NULL;
    s->n_state = n_state;
    s->n_event = n_event;
    s->n_flow = n_flow;
    s->bytes = bytes;
    s->spare = (pcm_column *)(s + 1);
    s->shape = s->spare + spare - n_shape;
    s->values = (double *)(s->spare + spare);
    s->state = (const double **)(s->values + values);
    s->host_inputs = s->state + n_state;
    s->next = (double **)(s->host_inputs + n_host_inputs);
    s->rate = s->next + n_state;
    s->event = s->rate + n_state;
    s->flow = s->event + n_event;
    s->amount = (const double **)(s->flow + n_flow);
    for (size_t i = 0; i < PCM_BLOCK; i++)
        s->none[i] = NAN;
    return s;
}

void pcm_scratch_free(pcm_context *context, pcm_scratch *scratch)
{
    if (scratch)
        pcm_free(context, scratch, scratch->bytes);
}
