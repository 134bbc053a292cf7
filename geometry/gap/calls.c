/* SPDX-License-Identifier: MIT */
/* calls.c - the shapes of contacts of any two geometries. */
#include "gap.h"
#include <string.h>

/* Contacts whose shapes are found together. */
typedef struct lot {
    const pcm_touch   *touches[PATCH_MAX];
    pcm_contact_shape *shapes[PATCH_MAX];
    size_t             count;
} lot;

/* ---- Compounds: each contact is one of two parts ----------------------------------------------------------------- */

typedef struct search {
    const lot *all;
    double     reach;
    uint64_t   name; /* of the two parts */
    lot        of_parts;
} search;

static void match(void *user, const pcm_touch *touch)
{
    search        *s = user;
    const uint64_t feature = compound_feature(touch->feature, s->name);
    for (size_t i = 0; i < s->all->count; i++)
        if (s->all->touches[i]->feature == feature && s->of_parts.count < PATCH_MAX) {
            s->of_parts.touches[s->of_parts.count] = s->all->touches[i];
            s->of_parts.shapes[s->of_parts.count++] = s->all->shapes[i];
        }
}

static void shape_parts(void *user, const body *a, const body *b, uint64_t name)
{
    search *s = user;
    s->name = name;
    s->of_parts.count = 0;
    pair_touch(a, b, s->reach, (pair_known){NULL, NULL}, match, s);
    gap_shapes(a, b, s->of_parts.touches, s->of_parts.count, s->of_parts.shapes);
}

static void shape_compound(const body *a, const body *b, const lot *of)
{
    search s; /* large, and mostly not initialised */
    s.all = of;
    s.reach = 0;
    for (size_t i = 0; i < of->count; i++)
        s.reach = larger(s.reach, -of->touches[i]->depth);
    compound_meet(a, b, s.reach, shape_parts, &s);
}

/* ---- All pairs --------------------------------------------------------------------------------------------------- */

void gap_shape_pair(const body *a, const body *b, const void *touches, size_t touch_size, size_t count,
                    pcm_contact_shape *shapes)
{
    lot of; /* large, and mostly not initialised */
    for (size_t first = 0; first < count; first += of.count) {
        of.count = count - first < PATCH_MAX ? count - first : PATCH_MAX;
        for (size_t i = 0; i < of.count; i++) {
            of.touches[i] = (const void *)((const char *)touches + (first + i) * touch_size);
            of.shapes[i] = &shapes[first + i];
            *of.shapes[i] = pcm_contact_shape_defaults();
        }
        if (is_compound(a) || is_compound(b))
            shape_compound(a, b, &of);
        else
            gap_shapes(a, b, of.touches, of.count, of.shapes);
    }
}

pcm_status pcm_geometry_shape(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b,
                              const pcm_pose *pose_b, const pcm_touch *touches, size_t touch_size, size_t count,
                              pcm_contact_shape *shapes, size_t shape_size)
{
    body       of_a, of_b;
    pcm_status status = pair_bodies(a, pose_a, b, pose_b, &of_a, &of_b);
    if (status != PCM_OK)
        return status;
    if (touch_size < offsetof(pcm_touch, shape) || shape_size != sizeof *shapes)
        return PCM_BAD_ARGUMENT;
    gap_shape_pair(&of_a, &of_b, touches, touch_size, count, shapes);
    return PCM_OK;
}
