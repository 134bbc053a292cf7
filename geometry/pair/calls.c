/* SPDX-License-Identifier: MIT */
/* calls.c - the contacts of two geometries whose poses are given, listed where the caller wants them. */
#include "simple.h"
#include <pcm/messages.h>
#include <string.h>

/* ---- Any pair ---------------------------------------------------------------------------------------------------- */

typedef struct touch_list {
    char  *touches;
    size_t touch_size, capacity, count;
    double depth;
} touch_list;

static void put_touch(const touch_list *list, size_t i, const pcm_touch *touch)
{
    char *to = list->touches + i * list->touch_size;
    if (list->touch_size >= sizeof *touch)
        memcpy(to, touch, sizeof *touch);
    else
        memcpy(to, touch, list->touch_size);
}

/* Where the list is full, the deepest still gets in, over the last. */
static void list_touch(void *user, const pcm_touch *touch)
{
    touch_list *list = user;
    if (list->count < list->capacity)
        put_touch(list, list->count, touch);
    else if (list->capacity > 0 && touch->depth > list->depth)
        put_touch(list, list->capacity - 1, touch);
    if (touch->depth > list->depth)
        list->depth = touch->depth;
    list->count++;
}

struct pcm_geometry_memory {
    pcm_context  *context;
    convex_memory convex;
    uint8_t       simple; /* what meeting_again knows */
};

pcm_geometry_memory *pcm_geometry_memory_new(pcm_context *context)
{
    pcm_geometry_memory *memory = pcm_allocate(context, sizeof *memory);
    if (memory)
        memory->context = context;
    else
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for what is known of a pair of geometries");
    return memory;
}

void pcm_geometry_memory_free(pcm_geometry_memory *memory)
{
    if (memory)
        pcm_free(memory->context, memory, sizeof *memory);
}

/* Not inline: it saves registers that quicker ways need not. */
static __attribute__((noinline)) pcm_status touch_knowing(pcm_geometry_memory *memory, TOUCH_PARAMETERS)
{
    touch_list       list = {(char *)touches, touch_size, capacity, 0, -INFINITY};
    const pair_known known = {memory ? &memory->convex : NULL, memory ? &memory->simple : NULL};
    body             body_a, body_b;
    const pcm_status status = pair_bodies(a, pose_a, b, pose_b, &body_a, &body_b);
    if (status == PCM_OK)
        pair_touch(&body_a, &body_b, reach, known, list_touch, &list);
    *count = list.count;
    return status;
}

pcm_status touch_anyhow(TOUCH_PARAMETERS) { return touch_knowing(NULL, TOUCH_ARGUMENTS); }

/* ---- By kinds ---------------------------------------------------------------------------------------------------- */

/* NULL: the pair has no short way, or there is no room. */
static inline const simple_way *way_of(TOUCH_PARAMETERS)
{
    (void)reach, (void)count;
    const bool sound = a && b && pose_a && pose_b && touch_size == sizeof *touches && capacity > 0;
    return sound && simple_ways[a->kind][b->kind].touch ? &simple_ways[a->kind][b->kind] : NULL;
}

pcm_status pcm_geometry_touch(TOUCH_PARAMETERS)
{
    const simple_way *way = way_of(TOUCH_ARGUMENTS);
    return way ? way->touch(TOUCH_ARGUMENTS) : touch_anyhow(TOUCH_ARGUMENTS);
}

/* Not inline, for the same reason. */
static __attribute__((noinline)) pcm_status touch_remembering(pcm_geometry_memory *memory, TOUCH_PARAMETERS)
{
    const simple_way *way = way_of(TOUCH_ARGUMENTS);
    return way && way->again == KNOWS && memory ? touch_boxes_again(&memory->simple, TOUCH_ARGUMENTS)
                                                : touch_knowing(memory, TOUCH_ARGUMENTS);
}

pcm_status pcm_geometry_touch_again(pcm_geometry_memory *memory, TOUCH_PARAMETERS)
{
    const simple_way *way = way_of(TOUCH_ARGUMENTS);
    return way && way->again == ANEW ? way->touch(TOUCH_ARGUMENTS) : touch_remembering(memory, TOUCH_ARGUMENTS);
}

/* ---- One body and many ------------------------------------------------------------------------------------------- */

static pcm_status touch_one_of(const touch_row *row, size_t i)
{
    char *to = (char *)row->touches + i * row->capacity * row->touch_size;
    return touch_anyhow(row->a, row->pose_a, row->b[i], &row->poses_b[i], row->reach, (pcm_touch *)(void *)to,
                        row->touch_size, row->capacity, &row->counts[i]);
}

/* The end of those from `from` on that are of one kind, or all none. */
static size_t end_of_kind(const touch_row *row, size_t from, size_t n)
{
    const pcm_geometry *first = row->b[from];
    size_t              end = from + 1;
    while (end < n && (row->b[end] == first || (first && row->b[end] && row->b[end]->kind == first->kind)))
        end++;
    return end;
}

pcm_status pcm_geometry_touch_many(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *const *b,
                                   const pcm_pose *poses_b, size_t n, double reach, pcm_touch *touches,
                                   size_t touch_size, size_t capacity, size_t *counts)
{
    const touch_row row = {a, pose_a, b, poses_b, reach, touches, touch_size, capacity, counts};
    const bool      sound = a && pose_a && touch_size == sizeof *touches && capacity > 0;
    pcm_status      status = PCM_OK;
    for (size_t i = 0, end = 0; i < n;) {
        if (i == end)
            end = end_of_kind(&row, i, n);
        row_way *many = sound && b[i] ? simple_ways[a->kind][b[i]->kind].many : NULL;
        if (many)
            i = many(&row, i, end);
        if (i == end)
            continue;
        const pcm_status found = touch_one_of(&row, i++);
        status = status == PCM_OK ? found : status;
    }
    return status;
}
