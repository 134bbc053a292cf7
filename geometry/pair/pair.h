/* SPDX-License-Identifier: MIT */
/* pair.h - the separation and the contacts of two placed geometries. */
#ifndef PCM_GEOMETRY_PAIR_H
#define PCM_GEOMETRY_PAIR_H

#include "patch.h"

/* A ball around a body, or the body itself. The radius is infinite for a body without bounds. */
typedef struct ball {
    vec    at;
    double radius;
} ball;

/* Makes the bodies of a pair. PCM_BAD_ARGUMENT: these kinds cannot be paired; PCM_BAD_MOTION: a pose is not finite. */
pcm_status pair_bodies(const pcm_geometry *a, const pcm_pose *pose_a, const pcm_geometry *b, const pcm_pose *pose_b,
                       body *body_a, body *body_b);

/* Whether b is taken as the first of the two. The order depends on the bodies alone, so that naming them the other way
 * round gives exactly the mirrored answer. */
bool pair_is_reversed(const body *a, const body *b);

/* Part i of a compound, placed; any other body itself. */
body pair_part(const body *whole, uint32_t i);

/* As pair_separate and pair_touch, where one of the bodies is a compound and the other is not a cloud. */
void compound_separate(const body *a, const body *b, pcm_separation *out);

/* The kinds of both bodies must be ones that can be paired. index: the point of a cloud. */
void pair_separate_point(const body *a, const body *b, uint32_t index, pcm_separation *separation);
void pair_separate(const body *a, const body *b, pcm_separation *separation);

/* Whether a pair needs a search, so that a cache helps; otherwise it has a closed form. */
bool pair_searches(const pcm_geometry *a, const pcm_geometry *b);

/* The caches of a pair; each may be NULL. */
typedef struct pair_known {
    convex_cache *convex;
    uint8_t      *simple; /* for pairs with a closed form; 0 at first */
} pair_known;

/* Calls take for every contact with a gap of at most reach, with a warm start from the caches. Shares and areas are
 * given where the bodies determine them: no share for a cloud's points, no area for a ball or a capsule, and an area of
 * 0 for edges and corners. Both change continuously with the motion. */
typedef void pair_take(void *user, const pcm_touch *contact);
void         pair_touch(const body *a, const body *b, double reach, pair_known known, pair_take *take, void *user);

/* As pair_touch, but of more than PAIR_FEW contacts with equal normals it makes four that stand for all those that
 * overlap, and four for those in the gap, as pcm_geometry_touch_few says. */
enum { PAIR_FEW = 16 };
void pair_touch_few(const body *a, const body *b, double reach, pair_known known, pair_take *take, void *user);

/* ---- Shared by several kinds of pairs ---------------------------------------------------------------------------- */

/* A contact point in the axes of one body. */
typedef struct contact_point {
    double gap, low, high; /* proven: low <= the true gap <= high */
    vec    normal, on_a, on_b;
} contact_point;

/* Moves a result from the cores to the surfaces. */
contact_point surface_point(const convex_pair *pair, const convex_result *r, vec on_a, vec on_b, double gap);
contact_point convex_point(convex_pair *pair, convex_result *r);

/* The part of the patch that belongs to a point, as in pcm_touch. */
typedef struct touch_part {
    double   share, area;
    uint64_t gives;
} touch_part;

/* The contact area of round bodies depends on their stiffness, so none is given. */
touch_part part_of(double share, double area, bool round);

/* Gives a contact whose point and normal are in the world's axes. */
void pair_give_there(vec point, vec n, double gap, bool swapped, uint64_t feature, touch_part of, pair_take *take,
                     void *user);
void pair_write(const placing *axes, const contact_point *s, bool swapped, pcm_separation *out);
void pair_give(const placing *axes, const contact_point *s, bool swapped, uint64_t feature, touch_part of,
               pair_take *take, void *user);

/* The point of a rim about the origin that is farthest along `down`; and three points of the rim starting with that
 * one, for the reason given in rims.c. They share the area of the cap if it faces down; the lowest one also has half of
 * the side's area. */
vec  pair_rim_lowest(const pcm_geometry *g, vec down);
void pair_rim_points(const pcm_geometry *g, vec lowest, vec down, vec points[3], double areas[3]);

/* ---- Kinds of pairs ---------------------------------------------------------------------------------------------- */

static inline bool is_ball(const pcm_geometry *g) { return g->kind == PCM_SPHERE; }

/* As pair_touch, for two spheres. */
void pair_touch_balls(const ball *a, const ball *b, double reach, pair_take *take, void *user);

/* The contact of a point, or of a ball about it, with the plane z = 0. */
contact_point pair_over_plane(vec p, double radius);

static inline bool is_compound(const body *b) { return b->geometry->kind == PCM_COMPOUND; }
static inline bool is_pointed(const body *b)
{
    return b->geometry->kind == PCM_CLOUD || b->geometry->kind == PCM_POINT;
}

/* pair_separate and pair_touch by kinds. */
void solids_separate(const body *a, const body *b, pcm_separation *out);
void solids_touch(const body *a, const body *b, double reach, convex_cache *cache, pair_take *take, void *user);
void plane_separate(const placing *plane, const body *other, bool swapped, pcm_separation *out);
void plane_contacts(const body *plane, const body *other, double reach, bool swapped, pair_take *take, void *user);
void cloud_contacts(const body *other, const body *cloud, double reach, bool swapped, pair_take *take, void *user);
void compound_touch(const body *a, const body *b, double reach, pair_take *take, void *user);

/* As pair_touch, for a solid on a tile that lies beside others. swapped: the call names the solid first. */
void tile_touch(const body *tile, const body *solid, double reach, bool swapped, pair_known known, pair_take *take,
                void *user);

/* Calls met for each part of a and part of b whose boxes are within reach of each other; name: of the two parts. */
typedef void part_met(void *user, const body *a, const body *b, uint64_t name);
void         compound_meet(const body *a, const body *b, double reach, part_met *met, void *user);

/* The feature of a contact of two parts. */
static inline uint64_t compound_feature(uint64_t feature, uint64_t name)
{
    return feature ^ name * 0x9E3779B97F4A7C15u;
}

#endif
