/* SPDX-License-Identifier: MIT */
#include "group.h"
#include "amounts.h"
#include "isa.h"

enum {
    FIRST_ROWS = 2 * PCM_BLOCK,
    RECORDS_PAST_END = 8 /* a vector of records may be read beyond the last row */
};

/* How each state column steps, two columns for a tangent state. */
static void find_steps(pcm_group *group)
{
    uint32_t column = 0;
    for (uint32_t i = 0; i < group->model->states.count; i++) {
        const pcm_state *state = pcm_model_state(group->model, i);
        pcm_step         step = state->role != PCM_CONTINUOUS ? PCM_STEP_HISTORY
                                : state->flags & PCM_STEPS    ? PCM_STEP_BY_LAW
                                                              : PCM_STEP_BY_WORLD;
        group->step[column++] = step;
        if (state->shape == PCM_TANGENT)
            group->step[column++] = step;
    }
}

static uint64_t host_inputs_needed(const pcm_type *type, const pcm_model *model)
{
    uint64_t needed = 0;
    uint32_t column = 0;
    for (uint32_t i = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *given = pcm_model_host_input(model, i);
        for (uint32_t k = 0; k < pcm_columns_of(given->shape); k++, column++)
            if (column < 64 && pcm_type_when(type, given->when))
                needed |= (uint64_t)1 << column;
    }
    return needed;
}

static uint32_t patch_needed(const pcm_type_info *info)
{
    const uint32_t shared = info->common->patch == PCM_PATCH_SHARED ? PCM_SHARE : 0;
    return (info->model->inputs & (PCM_AREA | PCM_SHARE)) | shared;
}

pcm_status pcm_group_open(pcm_context *context, pcm_group *group, const pcm_type *type, uint32_t isa)
{
    const pcm_type_info  *info = &type->info;
    const double          shift[] = {[PCM_POINT_MIDDLE] = 0, [PCM_POINT_BASE] = 0.5, [PCM_POINT_FOLLOWER] = -0.5};
    const pcm_kernel_set *kernels = pcm_model_kernels(info->model, isa);
    *group = (pcm_group){
        .type = type,
        .given = type,
        .model = info->model,
        .kernels = kernels,
        .forces = kernels->forces ? kernels->forces : kernels->update,
        .separation = info->common->separation,
        .shift = shift[info->common->point],
        .axis = {info->common->base_axis, info->common->follower_axis},
        .n_state = info->n_state,
        .n_frame = !info->carries_frame                    ? 0
                   : info->model->flags & PCM_FRAME_SHARED ? 2 * PCM_FRAME_COLUMNS
                                                           : PCM_FRAME_COLUMNS,
        .n_host_inputs = info->n_host_inputs,
        .n_flow = 2 * info->model->amounts.count,
        .n_onset = info->model->outputs & PCM_ONSET ? 1 : 0,
        .pair = kernels->pair,
        .n_patch = patch_needed(info) || kernels->pair ? PCM_ROW_COLUMNS : 0,
        .n_shape = info->model->inputs & PCM_SHAPED ? PCM_ROW_SHAPE : 0,
        .patch_needed = patch_needed(info),
        .single = info->common->single != 0,
        .scales = info->common->patch == PCM_PATCH_SHARED || kernels->pair,
        .ends = info->model->outputs & PCM_LIFE || kernels->pair,
        .may_pull = info->model->flags & (PCM_PULLS | PCM_BASE_AXES),
        .host_inputs_needed = host_inputs_needed(type, info->model),
        .rule = UINT32_MAX,
    };
    for (uint32_t k = 0; k < info->model->amounts.count; k++)
        group->amount[k] = pcm_amounts_find(pcm_amounts_of(type), pcm_model_amount(info->model, k)->name);
    for (uint32_t k = 0; k < group->n_host_inputs; k++)
        group->fallback[k] = pcm_type_input_fallback(type, k);
    if (group->n_state == 0)
        return PCM_OK;
    group->step = pcm_allocate(context, group->n_state * sizeof *group->step);
    if (!group->step)
        return PCM_NO_MEMORY;
    find_steps(group);
    return PCM_OK;
}

void pcm_group_close(pcm_context *context, pcm_group *group)
{
    pcm_type_room_free(group->own);
    pcm_type_room_free(group->draft);
    pcm_free(context, group->step, group->n_state * sizeof *group->step);
    pcm_free(context, group->memory, group->bytes);
}

/* Lays the arrays for `rows` rows out in one block of memory, if memory is not NULL. Returns the bytes they take. */
static size_t lay_out(pcm_group *group, char *memory, size_t rows)
{
    size_t blocks = rows / PCM_BLOCK, used = 0;
#define PLACE(array, count)                                                                                            \
    do {                                                                                                               \
        group->array = memory ? (void *)(memory + used) : group->array;                                                \
        used += ((count) * sizeof *group->array + 63) & ~(size_t)63;                                                   \
    } while (0)
    PLACE(record, rows + RECORDS_PAST_END);
    PLACE(columns, rows * pcm_group_width(group));
    PLACE(identity, rows);
    PLACE(stamp, rows);
    PLACE(tried_stamp, group->n_state ? rows : 0);
    PLACE(mode, rows);
    PLACE(removal, rows);
    PLACE(note, blocks);
    PLACE(pair_sum, group->n_patch ? rows : 0);
#undef PLACE
    return used;
}

pcm_status pcm_group_reserve(pcm_context *context, pcm_group *group, size_t rows)
{
    if (rows <= group->capacity)
        return PCM_OK;
    size_t wanted = group->capacity ? 2 * group->capacity : FIRST_ROWS;
    while (wanted < rows)
        wanted *= 2;
    size_t bytes = lay_out(group, NULL, wanted);
    char  *memory = pcm_allocate(context, bytes);
    if (!memory)
        return PCM_NO_MEMORY;
    pcm_group old = *group;
    lay_out(group, memory, wanted);
    if (old.memory) {
        size_t blocks = old.capacity / PCM_BLOCK;
        memcpy(group->record, old.record, old.capacity * sizeof *old.record);
        memcpy(group->columns, old.columns, old.capacity * pcm_group_width(group) * sizeof *old.columns);
        memcpy(group->identity, old.identity, old.capacity * sizeof *old.identity);
        memcpy(group->stamp, old.stamp, old.capacity * sizeof *old.stamp);
        if (group->n_state)
            memcpy(group->tried_stamp, old.tried_stamp, old.capacity * sizeof *old.tried_stamp);
        memcpy(group->mode, old.mode, old.capacity * sizeof *old.mode);
        memcpy(group->removal, old.removal, old.capacity * sizeof *old.removal);
        memcpy(group->note, old.note, blocks * sizeof *old.note);
        pcm_free(context, old.memory, old.bytes);
    }
    group->memory = memory;
    group->bytes = bytes;
    group->capacity = wanted;
    return PCM_OK;
}

void pcm_group_copy(pcm_group *group, size_t to, size_t from)
{
    group->record[to] = group->record[from];
    group->identity[to] = group->identity[from];
    group->stamp[to] = group->stamp[from];
    if (group->n_state)
        group->tried_stamp[to] = group->tried_stamp[from];
    for (uint32_t k = 0; k < pcm_group_width(group); k++)
        *pcm_group_at(group, k, to) = *pcm_group_at(group, k, from);
}

void pcm_group_wipe_stamps(pcm_group *group)
{
    for (size_t i = 0; i < group->capacity; i++) {
        group->stamp[i] = 0;
        if (group->n_state)
            group->tried_stamp[i] = 0;
    }
}
