/* SPDX-License-Identifier: MIT */
/* scratch.c - the columns of a block, laid out for the present laws, and the choice of the loops for the processor. */
#include "step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pcm_lammps_scratch_free(pcm_lammps_scratch *scratch)
{
    if (!scratch)
        return;
    free(scratch->columns);
    free(scratch->state);
    free(scratch->waiting);
    free(scratch->n_waiting);
    free(scratch->n_new);
    free(scratch->reach);
    free(scratch);
}

static void choose_kernels(pcm_lammps_scratch *s)
{
    s->kernels = &pcm_lammps_kernels_plain;
    s->exchange = &pcm_lammps_exchange_plain;
#if defined(PCM_LAMMPS_HAVE_AVX)
    if (!__builtin_cpu_supports("avx2"))
        return;
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    s->kernels = wide ? &pcm_lammps_kernels_avx512 : &pcm_lammps_kernels_avx2;
    s->exchange = &pcm_lammps_exchange_avx2;
#endif
}

/* Lays out all columns whose number depends on the laws; their pointers are in one array. */
static bool lay_columns(pcm_lammps_scratch *scratch)
{
    const size_t n = 3 * (size_t)scratch->n_state + scratch->n_vector + scratch->n_events + scratch->n_inputs +
                     4 * (size_t)scratch->n_amounts;
    double **columns = calloc(n + 1, sizeof *columns);
    scratch->columns = aligned_alloc(64, (n + 1) * sizeof *scratch->columns);
    scratch->state = columns;
    if (!columns || !scratch->columns)
        return false;
    memset(scratch->columns, 0, (n + 1) * sizeof *scratch->columns);
    for (size_t i = 0; i < n; i++)
        columns[i] = scratch->columns[i];
    scratch->next = columns + scratch->n_state;
    scratch->rate = columns + 2 * scratch->n_state;
    scratch->vector = columns + 3 * scratch->n_state;
    scratch->event = scratch->vector + scratch->n_vector;
    scratch->input = scratch->event + scratch->n_events;
    scratch->amount = scratch->input + scratch->n_inputs;
    scratch->flow = scratch->amount + 2 * scratch->n_amounts;
    return true;
}

/* Sets the pointers that laws use: their inputs and outputs are in the same columns for every block. */
static void fill_batch(pcm_lammps_scratch *s)
{
    pcm_lammps_block *b = &s->block;
    s->batch = (pcm_batch){.size = sizeof(pcm_batch),
                           .depth = b->depth,
                           .depth_rate = b->depth_rate,
                           .slip_x = b->slip_x,
                           .slip_y = b->slip_y,
                           .spin_x = b->spin_x,
                           .spin_y = b->spin_y,
                           .spin_n = b->spin_n,
                           .x = b->position[0],
                           .y = b->position[1],
                           .z = b->position[2],
                           .velocity_x = b->base_velocity[0],
                           .velocity_y = b->base_velocity[1],
                           .velocity_z = b->base_velocity[2],
                           .radius = b->radius,
                           .mass = b->mass,
                           .host_inputs = (const double *const *)s->input,
                           .state = (const double *const *)s->state,
                           .next = s->next,
                           .rate = s->rate,
                           .force_n = b->force_n,
                           .force_x = b->force_x,
                           .force_y = b->force_y,
                           .moment_n = b->moment_n,
                           .moment_x = b->moment_x,
                           .moment_y = b->moment_y,
                           .energy = b->energy,
                           .dissipation = b->dissipation,
                           .event = s->event,
                           .life = b->life,
                           .mode = b->mode,
                           .elastic_n = b->unused,
                           .adhesive_n = b->unused,
                           .pull_off = b->unused,
                           .patch_radius = b->unused,
                           .fresh = b->fresh,
                           .onset = b->onset,
                           .share = b->one,
                           .base_amount = (const double *const *)s->amount,
                           .follower_amount = (const double *const *)s->amount + s->n_amounts,
                           .base_flow = s->flow,
                           .follower_flow = s->flow + s->n_amounts,
                           .base_spin_x = b->base_spin[0],
                           .base_spin_y = b->base_spin[1],
                           .base_spin_n = b->base_spin[2],
                           .follower_spin_x = b->follower_spin[0],
                           .follower_spin_y = b->follower_spin[1],
                           .follower_spin_n = b->follower_spin[2],
                           .curvature_1 = b->curvature[0],
                           .curvature_2 = b->curvature[1],
                           .curvature_x = b->curve_axis[0],
                           .curvature_y = b->curve_axis[1],
                           .point_part = b->one,
                           .patch_part = b->zero,
                           .line_length = b->zero,
                           .line_curvature = b->zero,
                           .flat_area = b->zero,
                           .flat_aspect = b->one};
}

pcm_lammps_scratch *pcm_lammps_scratch_new(const pcm_lammps_laws *laws)
{
    pcm_lammps_scratch *scratch = aligned_alloc(64, (sizeof *scratch + 63) & ~(size_t)63);
    if (!scratch)
        return NULL;
    memset(scratch, 0, sizeof *scratch);
    scratch->n_state = laws->max_state;
    scratch->n_vector = laws->max_vector;
    scratch->n_events = laws->max_events;
    scratch->n_inputs = laws->max_inputs;
    scratch->n_amounts = laws->max_amounts;
    scratch->n_laws = laws->n_laws;
    choose_kernels(scratch);
    scratch->waiting = malloc(laws->n_laws * PCM_LAMMPS_BLOCK * sizeof *scratch->waiting);
    scratch->n_waiting = calloc(laws->n_laws, sizeof *scratch->n_waiting);
    scratch->n_new = calloc(laws->n_laws, sizeof *scratch->n_new);
    scratch->reach = malloc((laws->n_laws + 1) * sizeof *scratch->reach);
    for (size_t i = 0; scratch->reach && i < laws->n_laws; i++) {
        scratch->reach[i][0] = laws->law[i].onset;
        scratch->reach[i][1] = laws->law[i].lingers ? INFINITY : laws->law[i].separation;
    }
    for (size_t i = 0; i < PCM_LAMMPS_BLOCK; i++)
        scratch->block.one[i] = 1;
    if (lay_columns(scratch) && scratch->waiting && scratch->n_waiting && scratch->n_new && scratch->reach) {
        fill_batch(scratch);
        return scratch;
    }
    pcm_lammps_scratch_free(scratch);
    return NULL;
}
