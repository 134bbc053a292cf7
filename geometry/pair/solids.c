/* SPDX-License-Identifier: MIT */
/* solids.c - two convex bodies: in closed form where one is a ball, else by convex_separate and a contact patch. */
#include "simple.h"

static const touch_part whole = {1, 0, PCM_SHARE};

static ball ball_of(const body *b) { return (ball){b->at.at, b->geometry->radius}; }

/* In the world's axes, since a sphere needs no rotation. */
static contact_point ball_point(const ball *a, const ball *b)
{
    const vec    between = sub(b->at, a->at), n = unit_or(between, (vec){0, 0, 1});
    const double gap = norm(between) - (a->radius + b->radius);
    return (contact_point){gap, gap, gap, n, along(a->at, n, a->radius), along(b->at, n, -b->radius)};
}

void pair_touch_balls(const ball *a, const ball *b, double reach, pair_take *take, void *user)
{
    pcm_touch contact;
    if (balls_touch(a, b, reach, &contact))
        take(user, &contact);
}

/* A ball and another solid, in that solid's axes; false: there is no closed form where the ball is. */
static bool ball_on_solid(const body *solid, const body *round, contact_point *s)
{
    const vec    p = transform_back(&solid->at, round->at.at);
    const double r = solid->geometry->radius, q = round->geometry->radius;
    outside      out;
    if (!convex_outside(solid->geometry, p, &out))
        return false;
    const double gap = out.sep - (r + q);
    *s = (contact_point){gap, gap, gap, out.normal, along(out.closest, out.normal, r), along(p, out.normal, -q)};
    return true;
}

/* The other solid of a pair with one ball; *swapped: it is b. NULL: both are balls, or none is. */
static const body *beside_ball(const body *a, const body *b, bool *swapped)
{
    *swapped = is_ball(a->geometry);
    return is_ball(a->geometry) == is_ball(b->geometry) ? NULL : *swapped ? b : a;
}

void solids_separate(const body *a, const body *b, pcm_separation *out)
{
    bool          beside;
    const body   *solid = beside_ball(a, b, &beside);
    contact_point found;
    if (solid && ball_on_solid(solid, solid == a ? b : a, &found)) {
        pair_write(&solid->at, &found, beside, out);
        return;
    }
    const bool    swapped = pair_is_reversed(a, b);
    const body   *first = swapped ? b : a, *second = swapped ? a : b;
    const placing world = placing_identity();
    if (is_ball(a->geometry) && is_ball(b->geometry)) {
        const ball          in_front = ball_of(first), behind = ball_of(second);
        const contact_point s = ball_point(&in_front, &behind);
        pair_write(&world, &s, swapped, out);
        return;
    }
    const placing       relative = placing_relative(&first->at, &second->at);
    convex_pair         pair = convex_pair_of(first->geometry, second->geometry, &relative);
    convex_result       result = convex_separate(&pair);
    const contact_point s = convex_point(&pair, &result);
    pair_write(&first->at, &s, swapped, out);
}

static bool is_round(const pcm_geometry *g) { return g->rim <= 0 && g->core.n_corners == 1; }

static bool is_convex(const pcm_geometry *g) { return is_solid(g->kind) || g->kind == PCM_DISK; }
static bool is_capsule(const pcm_geometry *g) { return g->kind == PCM_CAPSULE; }
static bool is_box(const pcm_geometry *g) { return g->kind == PCM_BOX; }

bool pair_searches(const pcm_geometry *a, const pcm_geometry *b)
{
    return is_convex(a) && is_convex(b) && !is_ball(a) && !is_ball(b) && !(is_capsule(a) && is_capsule(b)) &&
           !(is_box(a) && is_box(b));
}

/* A ball and a solid with a closed form for it; false: the pair is of another kind. */
static bool touch_ball(const body *a, const body *b, double reach, pair_take *take, void *user)
{
    bool          swapped;
    const body   *solid = beside_ball(a, b, &swapped);
    contact_point s;
    if (!solid || !ball_on_solid(solid, solid == a ? b : a, &s))
        return false;
    if (s.gap <= reach)
        pair_give(&solid->at, &s, swapped, 0, whole, take, user);
    return true;
}

void solids_touch(const body *a, const body *b, double reach, convex_cache *cache, pair_take *take, void *user)
{
    if (touch_ball(a, b, reach, take, user))
        return;
    const bool    swapped = pair_is_reversed(a, b);
    const body   *first = swapped ? b : a, *second = swapped ? a : b;
    const placing relative = placing_relative(&first->at, &second->at);
    convex_pair   pair = convex_pair_of(first->geometry, second->geometry, &relative);
    const double  radii = first->geometry->radius + second->geometry->radius;
    witness       patch[PATCH_MAX];
    pair.reach = reach + radii;
    convex_use_cache(&pair, cache, swapped);
    convex_result result = convex_separate(&pair);
    if (!(result.low <= pair.reach) || !(result.sep <= pair.reach))
        return;
    if (is_round(a->geometry) || is_round(b->geometry)) {
        const contact_point s = convex_point(&pair, &result);
        pair_give(&first->at, &s, swapped, 0, whole, take, user);
        return;
    }
    const uint32_t count = convex_patch(&pair, &result, patch);
    for (uint32_t k = 0; k < count; k++) {
        const witness *w = &patch[k];
        if (!(w->gap <= pair.reach))
            continue;
        const contact_point s = surface_point(&pair, &result, w->on_a, w->on_b, w->gap);
        const uint64_t      feature = swapped ? feature_swapped(w->feature) : w->feature;
        pair_give(&first->at, &s, swapped, feature, part_of(w->share, w->area, radii > 0), take, user);
    }
}
