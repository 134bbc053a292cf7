/* SPDX-License-Identifier: MIT */
/* results.c - transforms separations and contacts from the axes of one body to those of the world. */
#include "pair.h"

void pair_write(const placing *axes, const contact_point *s, bool swapped, pcm_separation *out)
{
    const vec n = rotate(&axes->turn, s->normal), on_a = transform(axes, s->on_a), on_b = transform(axes, s->on_b);
    out->size = sizeof *out;
    out->distance = s->gap;
    out->low = s->low;
    out->high = s->high;
    vec_to(out->normal, swapped ? negate(n) : n);
    vec_to(out->on_a, swapped ? on_b : on_a);
    vec_to(out->on_b, swapped ? on_a : on_b);
}

touch_part part_of(double share, double area, bool round)
{
    return round ? (touch_part){share, 0, PCM_SHARE} : (touch_part){share, area, PCM_SHARE | PCM_AREA};
}

/* Gives a contact whose point and normal are in the world's axes. */
void pair_give_there(vec point, vec n, double gap, bool swapped, uint64_t feature, touch_part of, pair_take *take,
                     void *user)
{
    pcm_touch contact = {.feature = feature, .depth = -gap, .area = of.area, .share = of.share, .gives = of.gives};
    vec_to(contact.point, point);
    vec_to(contact.normal, swapped ? negate(n) : n);
    take(user, &contact);
}

void pair_give(const placing *axes, const contact_point *s, bool swapped, uint64_t feature, touch_part of,
               pair_take *take, void *user)
{
    pair_give_there(transform(axes, scale(add(s->on_a, s->on_b), 0.5)), rotate(&axes->turn, s->normal), s->gap, swapped,
                    feature, of, take, user);
}

contact_point surface_point(const convex_pair *pair, const convex_result *r, vec on_a, vec on_b, double gap)
{
    const double radii = pair->a->radius + pair->b->radius;
    return (contact_point){gap - radii,
                           r->low - radii,
                           r->high - radii,
                           r->normal,
                           along(on_a, r->normal, pair->a->radius),
                           along(on_b, r->normal, -pair->b->radius)};
}

contact_point convex_point(convex_pair *pair, convex_result *r)
{
    witness patch[PATCH_MAX];
    if (!r->witnessed)
        convex_patch(pair, r, patch);
    return surface_point(pair, r, r->on_a, r->on_b, r->sep);
}
