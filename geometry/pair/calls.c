/* SPDX-License-Identifier: MIT */
/* calls.c - the calls that take two geometries with poses and write contacts into the caller's array. */
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

/* If the list is full, a contact deeper than all so far replaces the last one. */
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

struct pcm_geometry_cache {
    pcm_context *context;
    convex_cache convex;
    uint8_t      simple; /* the direction of two boxes' last contacts */
};

pcm_geometry_cache *pcm_geometry_cache_new(pcm_context *context)
{
    pcm_geometry_cache *cache = pcm_allocate(context, sizeof *cache);
    if (cache)
        cache->context = context;
    else
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for the cache of a pair of geometries");
    return cache;
}

void pcm_geometry_cache_free(pcm_geometry_cache *cache)
{
    if (cache)
        pcm_free(cache->context, cache, sizeof *cache);
}

/* Not inline: that saves registers which the short closed forms do not need. */
static __attribute__((noinline)) pcm_status search(pcm_geometry_cache *cache, const touch_call *call, size_t touch_size,
                                                   bool few)
{
    touch_list       list = {(char *)call->touches, touch_size, call->capacity, 0, -INFINITY};
    const pair_known known = {cache ? &cache->convex : NULL, cache ? &cache->simple : NULL};
    body             a, b;
    const pcm_status status = pair_bodies(call->a, call->pose_a, call->b, call->pose_b, &a, &b);
    if (status == PCM_OK)
        (few ? pair_touch_few : pair_touch)(&a, &b, call->reach, known, list_touch, &list);
    *call->count = list.count;
    return status;
}

/* ---- By kinds ---------------------------------------------------------------------------------------------------- */

/* NULL: the pair has no closed form, or `touches` has no room. */
static inline const simple_way *way_of(const touch_call *call, size_t touch_size)
{
    const pcm_geometry *a = call->a, *b = call->b;
    const bool          sound = a && b && call->pose_a && call->pose_b && touch_size == sizeof *call->touches &&
                       call->capacity && !a->seams && !b->seams;
    return sound && simple_ways[a->kind][b->kind].touch ? &simple_ways[a->kind][b->kind] : NULL;
}

pcm_status pcm_geometry_touch(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                              const pcm_pose *pose_b, double reach, pcm_touch *touches, size_t touch_size,
                              size_t capacity, size_t *count)
{
    const touch_call  call = {a, b, pose_a, pose_b, reach, touches, capacity, count};
    const simple_way *way = way_of(&call, touch_size);
    return way && way->touch(&call) ? PCM_OK : search(NULL, &call, touch_size, false);
}

pcm_status pcm_geometry_touch_few(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                                  const pcm_pose *pose_b, double reach, pcm_touch *touches, size_t touch_size,
                                  size_t capacity, size_t *count)
{
    const touch_call  call = {a, b, pose_a, pose_b, reach, touches, capacity, count};
    const touch_call  brief = {a, b, pose_a, pose_b, reach, touches, capacity < PAIR_FEW ? capacity : PAIR_FEW, count};
    const simple_way *way = way_of(&brief, touch_size);
    return way && way->touch(&brief) ? PCM_OK : search(NULL, &call, touch_size, true);
}

pcm_status pcm_geometry_touch_cached(pcm_geometry_cache *cache, const pcm_geometry *a, const pcm_pose *pose_a,
                                     const pcm_geometry *b, const pcm_pose *pose_b, double reach, pcm_touch *touches,
                                     size_t touch_size, size_t capacity, size_t *count)
{
    const touch_call  call = {a, b, pose_a, pose_b, reach, touches, capacity, count};
    const simple_way *way = way_of(&call, touch_size);
    if (way && way->warm == CLOSED_FORM && way->touch(&call))
        return PCM_OK;
    if (way && way->warm == BY_AXIS && cache && touch_boxes_warm(&call, &cache->simple))
        return PCM_OK;
    return search(cache, &call, touch_size, false);
}
