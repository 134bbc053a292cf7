/* SPDX-License-Identifier: MIT */
/* tiles.c - solids on tiles that lie side by side (join.c). Where a solid meets a tile at a side that is covered, or is
 * deeper in the covered flat than in the one beside it, its contacts are those with the plane of the flat that goes on:
 * the points over this tile. So all tiles together give the contacts of one ground. */
#include "pair.h"

/* As a share of the size: how far points and planes are off by rounding. */
#define NEARLY 1e-9
#define LEVEL  1e-6

typedef struct found {
    pcm_touch touches[PATCH_MAX];
    uint32_t  count;
} found;

static void note(void *user, const pcm_touch *touch)
{
    found *f = user;
    if (f->count < PATCH_MAX)
        f->touches[f->count++] = *touch;
}

/* A tile and the solid on it; in the tile's axes: the contact's normal and a point of the tile. */
typedef struct tiling {
    const body     *tile, *solid;
    const polytope *core;
    bool            swapped; /* the call names the solid first */
    double          reach, tolerance;
    vec             n, at;
} tiling;

static uint32_t beside(const polytope *p, uint32_t flat, uint32_t k)
{
    const edge    *e = &p->edges[p->flat_edges[p->flats[flat].first + k]];
    const uint32_t first = p->flat_of[e->face[0]];
    return first == flat ? p->flat_of[e->face[1]] : first;
}

static double seam_at(const tiling *t, uint32_t flat, uint32_t k)
{
    return t->tile->geometry->seams[t->core->flats[flat].first + k];
}

/* How deep the solid is below the plane of a flat; < 0: its gap. */
static double depth_below(const tiling *t, uint32_t flat)
{
    const face   *f = &t->core->flats[flat];
    const placing relative = placing_relative(&t->tile->at, &t->solid->at);
    uint32_t      corner = 0;
    const vec     down = rotate_back(&relative.turn, negate(f->normal));
    const vec     lowest = transform(&relative, core_support(t->solid->geometry, down, &corner));
    return f->offset - dot(f->normal, lowest) + t->solid->geometry->radius;
}

static bool faces(const tiling *t, uint32_t flat)
{
    const vec m = t->core->flats[flat].normal;
    return dot(m, t->n) > 0 && norm(cross(m, t->n)) < LEVEL;
}

static bool lies_on(const tiling *t, uint32_t flat)
{
    const face *f = &t->core->flats[flat];
    return fabs(dot(f->normal, t->at) - f->offset) <= 4 * LEVEL * t->tile->geometry->size;
}

/* The flat on which the solid lies, where it meets the tile at a covered side or flat; NO_INDEX: it does not. */
static uint32_t flat_below(const tiling *t)
{
    uint32_t best = NO_INDEX;
    double   least = INFINITY;
    for (uint32_t f = 0; f < t->core->n_flats; f++)
        for (uint32_t k = 0; k < t->core->flats[f].count; k++) {
            const double   covered = seam_at(t, f, k);
            const uint32_t next = covered > 0 ? beside(t->core, f, k) : NO_INDEX;
            const bool     meets = covered > 0 && dot(t->core->flats[f].normal, t->n) > LEVEL &&
                               (faces(t, f) || (lies_on(t, f) && lies_on(t, next)));
            const double deep = meets ? depth_below(t, next) : INFINITY;
            if (meets && deep <= covered && deep < least && !faces(t, next)) {
                least = deep;
                best = next;
            }
        }
    return best;
}

/* Where a point is beside a flat's side: > 0 inside. Points on the side between two tiles belong to one of them. */
static bool is_inside(const tiling *t, uint32_t flat, uint32_t k, vec p)
{
    const face  *f = &t->core->flats[flat];
    const vec    from = t->core->corners[t->core->flat_loops[f->first + k]];
    const vec    to = t->core->corners[t->core->flat_loops[f->first + (k + 1) % f->count]];
    const vec    left = unit_or(cross(f->normal, sub(to, from)), f->normal);
    const vec    out = rotate(&t->tile->at.turn, left);
    const bool   own = out.x > LEVEL || (out.x > -LEVEL && (out.y > LEVEL || (out.y > -LEVEL && out.z > 0)));
    const double within = dot(left, sub(p, from));
    return own ? within >= -t->tolerance : within > t->tolerance;
}

static bool is_over(const tiling *t, uint32_t flat, const pcm_touch *touch)
{
    const vec p = transform_back(&t->tile->at, vec_of(touch->point));
    bool      over = true;
    for (uint32_t k = 0; k < t->core->flats[flat].count && over; k++)
        over = is_inside(t, flat, k, p);
    return over;
}

/* Whether a flat's side is between two tiles: the flat beside it is covered there. */
static bool is_seam(const tiling *t, uint32_t flat, uint32_t k)
{
    const uint32_t next = beside(t->core, flat, k);
    bool           covered = false;
    for (uint32_t i = 0; i < t->core->flats[next].count; i++)
        covered = covered || (beside(t->core, next, i) == flat && seam_at(t, next, i) > 0);
    return covered;
}

/* Where a contact is that is no corner of the solid: inside of a flat, on a side between two tiles, or on a side at
 * which the ground ends. */
enum { AMID, SEAM, BORDER };

static int place_of(const tiling *t, uint32_t flat, const pcm_touch *touch)
{
    const vec      p = transform_back(&t->tile->at, vec_of(touch->point));
    const uint64_t own = t->swapped ? OF_A : OF_B;
    const face    *f = &t->core->flats[flat];
    int            place = AMID;
    for (uint32_t k = 0; k < f->count && touch->feature >> 62 != own; k++) {
        const vec from = t->core->corners[t->core->flat_loops[f->first + k]];
        const vec run = sub(t->core->corners[t->core->flat_loops[f->first + (k + 1) % f->count]], from);
        const vec left = unit_or(cross(f->normal, run), f->normal);
        if (fabs(dot(left, sub(p, from))) <= LEVEL * t->tile->geometry->size)
            place = is_seam(t, flat, k) ? (place == BORDER ? BORDER : SEAM) : BORDER;
    }
    return place;
}

/* The contacts with the plane of a flat that are over the tile, named as those with the tile itself. */
static void touch_plane(const tiling *t, uint32_t flat, found *to)
{
    static const pcm_geometry endless = {.kind = PCM_PLANE};
    const face               *f = &t->core->flats[flat];
    const vec                 z = rotate(&t->tile->at.turn, f->normal), x = perpendicular(z), y = cross(z, x);
    const vec                 on = transform(&t->tile->at, t->core->corners[t->core->flat_loops[f->first]]);
    const body                plane = {&endless, {{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}, on}};
    found                     all = {.count = 0};
    const body               *first = t->swapped ? t->solid : &plane, *second = t->swapped ? &plane : t->solid;
    pair_touch(first, second, t->reach, (pair_known){NULL, NULL}, note, &all);
    to->count = 0;
    for (uint32_t k = 0; k < all.count; k++) {
        if (!is_over(t, flat, &all.touches[k]))
            continue;
        pcm_touch *kept = &to->touches[to->count++];
        *kept = all.touches[k];
        const uint32_t name = (uint32_t)kept->feature;
        kept->feature = t->swapped ? feature_of(OF_A, name, 0) : feature_of(OF_B, 0, name);
    }
}

/* Where a solid lies on a flat of the tile and not over the ground's border, its contacts are those with the plane; at
 * the border they are its own, without those at sides between tiles. */
static void lie_on(const tiling *t, uint32_t flat, found *all)
{
    uint32_t n = 0;
    bool     ends = false;
    for (uint32_t k = 0; k < all->count; k++) {
        const int place = place_of(t, flat, &all->touches[k]);
        ends = ends || place == BORDER;
        if (place != SEAM)
            all->touches[n++] = all->touches[k];
    }
    all->count = n;
    if (!ends)
        touch_plane(t, flat, all);
}

static void settle(tiling *t, found *all)
{
    const pcm_touch *first = &all->touches[0];
    const vec        n = vec_of(first->normal), out = t->swapped ? negate(n) : n;
    t->n = rotate_back(&t->tile->at.turn, out);
    t->at = transform_back(&t->tile->at, along(vec_of(first->point), out, 0.5 * first->depth));
    const uint32_t flat = flat_below(t);
    if (flat != NO_INDEX) {
        touch_plane(t, flat, all);
        return;
    }
    for (uint32_t f = 0; f < t->core->n_flats; f++)
        if (faces(t, f))
            lie_on(t, f, all);
}

void tile_touch(const body *tile, const body *solid, double reach, bool swapped, pair_known known, pair_take *take,
                void *user)
{
    const body plain = {tile->geometry->like, tile->at};
    tiling     t = {.tile = tile,
                    .solid = solid,
                    .core = &tile->geometry->core,
                    .swapped = swapped,
                    .reach = reach,
                    .tolerance = NEARLY * tile->geometry->size};
    found      all = {.count = 0};
    /* A point on the side between two tiles may have a gap to the one that it belongs to, by rounding. */
    const double near = reach + LEVEL * tile->geometry->size;
    pair_touch(swapped ? solid : &plain, swapped ? &plain : solid, near, known, note, &all);
    if (all.count > 0)
        settle(&t, &all);
    for (uint32_t k = 0; k < all.count; k++)
        if (all.touches[k].depth >= -reach)
            take(user, &all.touches[k]);
}
