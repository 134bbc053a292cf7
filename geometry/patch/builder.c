/* SPDX-License-Identifier: MIT */
/* builder.c - collects the points of a patch: points that lie over the other set, points at the same place, and points
 * that two parts of a patch have in common. */
#include "patch.h"

void support_place(const placing *at, support *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        s->points[k] = transform(at, s->points[k]);
    s->normal = rotate(&at->turn, s->normal);
    if (s->count == 0) {
        s->centre = transform(at, s->centre);
        s->axis = rotate(&at->turn, s->axis);
    }
}

void patch_take(patch_builder *p, uint64_t feature, vec on_a, vec on_b, double share)
{
    const witness here = {feature, on_a, on_b, dot(p->normal, sub(on_b, on_a)), share, 0};
    for (uint32_t k = 0; k < p->count; k++) {
        const vec apart = across(sub(on_a, p->patch[k].on_a), p->normal);
        if (dot(apart, apart) > p->tolerance * p->tolerance)
            continue;
        const double both = p->patch[k].share + share;
        if (here.gap < p->patch[k].gap - p->tolerance)
            p->patch[k] = here;
        p->patch[k].share = both;
        return;
    }
    if (p->count < PATCH_MAX)
        p->patch[p->count++] = here;
}

vec support_over(const support *s, vec q, vec n)
{
    const double steep = dot(s->normal, n);
    const vec    origin = s->count ? s->points[0] : s->centre;
    return along(q, n, dot(s->normal, sub(origin, q)) / steep);
}

bool patch_covers(const support *s, vec q, vec n, double tolerance, vec *there)
{
    if (s->count == 0) {
        *there = support_over(s, q, n);
        return norm(sub(*there, s->centre)) <= s->rim + tolerance;
    }
    if (s->count <= 2) {
        const vec    d = s->count == 2 ? across(sub(s->points[1], s->points[0]), n) : (vec){0, 0, 0};
        const vec    r = across(sub(q, s->points[0]), n);
        const double dd = dot(d, d), t = dd > 0 ? smaller(larger(dot(r, d) / dd, 0), 1) : 0;
        *there = along(s->points[0], sub(s->points[s->count - 1], s->points[0]), t);
        return norm(across(sub(q, *there), n)) <= tolerance;
    }
    const double sense = dot(s->normal, n) < 0 ? -1 : 1;
    for (uint32_t k = 0; k < s->count; k++)
        if (sense * dot(s->sides[k].left, sub(q, s->points[k])) < -tolerance * s->sides[k].length)
            return false;
    *there = support_over(s, q, n);
    return true;
}

void patch_take_over(patch_builder *p, bool is_a, uint32_t name, vec on_it, vec there, double share)
{
    if (is_a)
        patch_take(p, feature_of(OF_A, name, 0), on_it, there, share);
    else
        patch_take(p, feature_of(OF_B, 0, name), there, on_it, share);
}

double patch_reach(double reach, double size, double sep) { return smaller(reach, sep + ENDLESS * size); }

/* The distance of two points across n, each taken halfway between the bodies: points of lines that are not parallel do
 * not lie exactly along n. */
static double apart(const witness *v, const witness *w, vec n)
{
    return 0.5 * norm(across(add(sub(v->on_a, w->on_a), sub(v->on_b, w->on_b)), n));
}

/* The point of a patch that equals another one, by its name or else by its place; NULL: there is none. */
static witness *same_point(witness *patch, uint32_t count, vec n, double tolerance, const witness *w)
{
    for (uint32_t k = 0; k < count; k++)
        if (patch[k].feature == w->feature)
            return &patch[k];
    for (uint32_t k = 0; k < count; k++)
        if (apart(&patch[k], w, n) <= tolerance)
            return &patch[k];
    return NULL;
}

void patch_merge(witness *patch, uint32_t *count, vec n, double tolerance, const witness *w)
{
    witness *to = same_point(patch, *count, n, tolerance, w);
    if (!to && *count < PATCH_MAX)
        patch[(*count)++] = *w;
    if (!to)
        return;
    const double both = to->share + w->share, part = both > 0 ? w->share / both : 0;
    to->on_a = along(to->on_a, sub(w->on_a, to->on_a), part);
    to->on_b = along(to->on_b, sub(w->on_b, to->on_b), part);
    to->gap += part * (w->gap - to->gap);
    to->share = both;
    to->area += w->area;
}
