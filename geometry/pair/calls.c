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
    return way && way->touch(TOUCH_ARGUMENTS) ? PCM_OK : touch_knowing(NULL, TOUCH_ARGUMENTS);
}

/* Not inline, for the same reason. */
static __attribute__((noinline)) pcm_status touch_remembering(pcm_geometry_memory *memory, TOUCH_PARAMETERS)
{
    const simple_way *way = way_of(TOUCH_ARGUMENTS);
    const bool        boxes = way && way->again == KNOWS && memory;
    return boxes && touch_boxes_again(&memory->simple, TOUCH_ARGUMENTS) ? PCM_OK
                                                                        : touch_knowing(memory, TOUCH_ARGUMENTS);
}

pcm_status pcm_geometry_touch_again(pcm_geometry_memory *memory, TOUCH_PARAMETERS)
{
    const simple_way *way = way_of(TOUCH_ARGUMENTS);
    const bool        anew = way && way->again == ANEW;
    return anew && way->touch(TOUCH_ARGUMENTS) ? PCM_OK : touch_remembering(memory, TOUCH_ARGUMENTS);
}
