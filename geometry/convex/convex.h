/* SPDX-License-Identifier: MIT */
/* convex.h - the separation of two convex bodies, each a core grown by a radius, in the axes of the first.
 *
 * Everything rests on one function: along a unit vector n, sep(n) is the lowest coordinate of b minus the highest of a.
 * Its maximum over all n is the distance where the bodies are apart; where they overlap it is negative, the depth. So
 * sep(n) of any n is a lower bound. The upper bound comes from points of the bodies: two points with the least distance
 * so far where the bodies are apart, and a polytope within the difference b - a that contains the origin where they
 * overlap. */
#ifndef PCM_GEOMETRY_CONVEX_H
#define PCM_GEOMETRY_CONVEX_H

#include "shape.h"

/* As a share of the size: how far apart across the normal the points may be that face each other. */
#define BESIDE 1e-13

/* Points of the cores, each in the axes of its body. */
typedef struct cached_corner {
    vec      a, b;
    uint32_t at_a, at_b;
} cached_corner;

/* The part of a core that faces the other body: a corner, a line, a face, a rim, a side or a cap. */
typedef struct core_part {
    vec         at;           /* a point of it */
    vec         lines[2];     /* unit directions along which it extends */
    int         n_lines;      /* 2: the part is flat */
    double      from, to;     /* its extent along the line, relative to the point */
    double      within;       /* a lower bound on how far it extends in every direction */
    vec         centre, axis; /* centre and axis of the rim or cap */
    double      rim;          /* 0: none */
    double      cap;          /* the radius of a cap or disk about the centre; 0: none */
    const face *face;         /* the polytope's face that has the same plane, if known */
} core_part;

/* The parts of the cores that faced each other. For an overlap: along every direction outside a cone of half angle cone
 * / 2 (rad) about the normal, the cores were at least `bound` deep. A depth changes by no more than a point of b has
 * moved, so a bound remains after small motions. */
typedef struct convex_proof {
    core_part a, b; /* each in its own axes */
    vec       normal;
    placing   b_in_a;
    double    bound, cone;
    double    tangent, cosine; /* the tangent of 3/8 of the cone, the cosine of 3/4 of it */
} convex_proof;

/* The result of a pair's last search, for the warm start of the next: the direction, the simplex or corners of the
 * answer, and a proof. All points move with their bodies, so an answer found from them is proven like any other. An
 * empty cache is all zero. */
typedef struct convex_cache {
    uint64_t      a, b;    /* the geometries' numbers, in this order; addresses would not do, as they may be reused */
    bool          swapped; /* the call named the bodies in the other order */
    vec           normal;  /* in a's axes */
    vec           ahead;   /* the normal extrapolated by its last turn */
    cached_corner seed[3];
    uint8_t       n_seed;
    core_part     met[2]; /* the parts that the points lay on at the last polish, each in its own axes */
    bool          proven; /* the proof is valid; used only with n_seed > 0 */
    uint8_t       lasted, pause,
        rest; /* in steps: how long the proof has lasted, the pause before the next proof, and the rest of that pause */
    convex_proof proof;
} convex_cache;

typedef struct convex_pair {
    const pcm_geometry *a, *b;
    convex_cache       *cache; /* NULL: no warm start */
    placing             b_in_a;
    double              size;       /* of the larger body; tolerances are relative to it */
    double              rounding;   /* rounding error of a point of the difference */
    double              closed;     /* the search ends when the bounds differ by no more than this */
    double              reach;      /* gaps of the cores beyond this are not resolved */
    bool                rims;       /* one of them has a rim */
    uint32_t            at_a, at_b; /* the corners of the last support point, where the next walk starts */
} convex_pair;

/* Points of the cores that are the farthest along some direction: w = b - a is a point of their difference. */
typedef struct vertex {
    vec      a, b, w;
    uint32_t at_a, at_b; /* the corners, if the cores are polytopes */
} vertex;

/* Up to four points of the difference and the weights of the point that is nearest to the origin. */
typedef struct simplex {
    vertex v[4];
    double weight[4];
    int    n;
} simplex;

/* The result for the cores, without their radii. */
typedef struct convex_result {
    double sep;        /* along the normal, between on_a and on_b */
    double low, high;  /* proven: low <= the true separation <= high */
    vec    normal;     /* unit, from a towards b */
    vec    on_a, on_b; /* points of the cores; on_b - on_a = sep * normal */
    double cone;       /* rad; of an overlap: no direction within this angle of the normal is better */
    double cosine;     /* the cosine of the cone, less rounding */
    double bent, flat; /* the bounds that prove the cone: at an angle t from the normal the depth is at least depth cos
                          t + bent / 2 sin^2 t, and at least depth cos t + flat sin t */
    bool witnessed;    /* on_a and on_b are known */
    bool supported;    /* the pair's corners at_a and at_b are the farthest along the normal */
} convex_result;

/* An upper bound on the distance of any point of the difference from the origin. */
static inline double convex_extent(const pcm_geometry *a, const pcm_geometry *b, vec at)
{
    return a->size + b->size + norm(at);
}

/* Rounding error of a point of the difference, as a share of the extent. */
#define ROUNDING 4e-16

static inline convex_pair convex_pair_of(const pcm_geometry *a, const pcm_geometry *b, const placing *b_in_a)
{
    const double extent = convex_extent(a, b, b_in_a->at);
    const bool   rims = a->rim > 0 || b->rim > 0;
    return (convex_pair){.a = a,
                         .b = b,
                         .b_in_a = *b_in_a,
                         .size = larger(a->size, b->size),
                         .rounding = ROUNDING * extent,
                         .closed = (rims ? 2e-13 : ROUNDING) * extent,
                         .reach = INFINITY,
                         .rims = rims};
}

/* Gives a pair its cache. Clears the cache if it belongs to other bodies, or to the same bodies in the other order. */
void convex_use_cache(convex_pair *pair, convex_cache *cache, bool swapped);

/* The point of the core that is farthest along d, in its own axes. *at: the corner where the walk starts, then the
 * corner found. */
vec core_support(const pcm_geometry *g, vec d, uint32_t *at);

vec    support_a(convex_pair *pair, vec d);
vec    support_b(convex_pair *pair, vec d);
vertex support_of(convex_pair *pair, vec n); /* the highest point of a and the lowest point of b along n */
double sep_along(convex_pair *pair, vec n);

/* The point v given by a simplex's weights, and its direction, as precise as corners and edges allow. */
vec simplex_mean(const simplex *s);
vec simplex_direction(const simplex *s, vec v);

/* Reduces a simplex to the points that span its point nearest to the origin, with their weights; false: the origin is
 * inside. */
bool simplex_nearest(simplex *s);

/* The points of the cores that the weights give. */
void simplex_points(const simplex *s, vec *on_a, vec *on_b);

/* The separation of the cores in closed form; false: the pair has none. */
bool convex_closed_form(const convex_pair *pair, convex_result *result);

/* The separation of a point from a core, in the core's axes, with the unit normal out of the core and the closest
 * point. */
typedef struct outside {
    double sep;
    vec    normal, closest;
} outside;

/* False where there is no closed form: for points outside a hull. */
bool convex_outside(const pcm_geometry *core, vec p, outside *out);

/* The depth of two boxes that overlap, without points. */
bool convex_boxes(const convex_pair *pair, convex_result *result);

/* The distance of the cores by GJK, starting from the simplex *s, which has weights. False: they overlap, or are too
 * close for a direction. *s becomes the last simplex, of four points where they overlap. */
bool convex_distance(convex_pair *pair, vec start, simplex *s, convex_result *result);

/* A vector from a point of a's core to one of b's. Each core contains a ball of its inner radius about its point; the
 * points are chosen close to each other. */
vec convex_between(const convex_pair *pair);

/* Whether this local optimum is global, by the inner balls alone. */
bool convex_is_global_by_ball(convex_pair *pair, const convex_result *result);

/* A test whether the cores are at least `depth` deep along every direction whose angle to n has a tangent greater than
 * `within`, by points of the difference. */
enum { OPTIMUM_POINTS = 24 };
typedef struct optimum {
    vec      n;
    double   depth, within;
    vec      points[OPTIMUM_POINTS];
    unsigned n_points;
    vec      better; /* if BEATEN: a direction with less depth */
} optimum;

/* Runs the test, and adds points where it needs them. */
typedef enum verdict { UNDECIDED, GLOBAL, BEATEN } verdict;
verdict convex_is_global(convex_pair *pair, optimum *r);

/* The depth of polytopes that overlap, by a search that starts along a direction; false: not found or not proven. */
bool convex_facets(convex_pair *pair, vec from, convex_result *result);

/* The same for cores of which at least one has a rim. False: not found or not proven; a result with a cone above 0 is
 * then a local optimum. */
bool convex_climb(convex_pair *pair, vec from, convex_result *result);

/* The separation of cores that overlap or nearly touch, by EPA from GJK's last simplex. *result: the bounds so far;
 * *peak: a local optimum that convex_climb could not prove, or NULL. */
void convex_expand(convex_pair *pair, const simplex *from, const convex_result *peak, convex_result *result);

/* A point of the difference in the form that is cached, and a cached point at the bodies' present placings. */
cached_corner corner_to_cache(const convex_pair *pair, const vertex *v);
vertex        corner_from_cache(const convex_pair *pair, const cached_corner *kept);

/* Caches a simplex or facet and its direction, without a proof. Does nothing for a pair without a cache. */
void convex_cache_simplex(const convex_pair *pair, const simplex *s, vec normal);

/* The cached simplex at the bodies' present placings; false: there is none. */
bool convex_cached_simplex(const convex_pair *pair, simplex *s);

/* Whether the bodies are still out of reach along the cached direction. */
bool convex_still_apart(convex_pair *pair, convex_result *result);

/* An upper bound on the motion of any point of b's core, in a's axes, since b had the placing `then`. */
double convex_moved_by(const convex_pair *pair, const placing *then);

/* Refines the direction and the points by Newton's method on the features that the simplex's points lie on. False:
 * these features do not yield the result, which is left unchanged. */
bool convex_polish(convex_pair *pair, simplex s, convex_result *result);

/* The same for bodies with rims that are apart, starting from a direction close to the solution, n; false: no solution
 * found. */
bool convex_polish_apart(convex_pair *pair, const simplex *s, vec n, convex_result *result);

/* The cone of the last polished result, which may be wider than result->cone where whole faces are known. Fills in the
 * parts of the cached proof. */
double convex_cone(convex_pair *pair, const convex_result *result);

/* A lower bound on the depth along all directions outside half of the cone, from the refined parts alone. */
double convex_outer_bound(const convex_pair *pair, const convex_result *result);

/* Caches the result as the proof for the next steps. bound: 0 for bodies that are apart. */
void convex_prove(const convex_pair *pair, const convex_result *result, double bound);

/* The same with a bound that points of the difference prove: the points of *r, and more where needed. Caches nothing
 * where they prove no bound. */
void convex_prove_by_points(convex_pair *pair, convex_result result, optimum *r);

/* The answer on the cached features at the bodies' present placings; false: it is not proven. */
bool convex_warm_start(convex_pair *pair, convex_result *result);

/* The same for polytopes that overlap at a face and a corner or at two edges, well away from the boundaries of these
 * features. */
bool convex_facet_warm(convex_pair *pair, convex_result *result);

/* The separation of cores of which at least one has a rim, by branch and bound; *result: the bounds so far. */
void convex_cover(convex_pair *pair, convex_result *result);

/* Points of the cores that face each other along the normal, from support points around it. */
void convex_face(convex_pair *pair, convex_result *result);

/* Moves the points across the normal until they face each other, and along it to the surfaces of the cores, result->low
 * apart. */
void convex_align(convex_pair *pair, convex_result *result);

/* The separation of any cores without a closed form. */
void convex_search(convex_pair *pair, convex_result *result);

/* The separation of any two cores. Of a gap beyond pair->reach the result says only that it is beyond. */
convex_result convex_separate(convex_pair *pair);

/* rad: directions closer than this count as equal. */
#define ALIGNED 1e-6

/* The sine of the tilt from which on only the nearest points of faces and lines count. */
#define TILT 0.03

static inline bool is_square(vec run, vec n)
{
    const double d = dot(run, n);
    return d * d < ALIGNED * ALIGNED * dot(run, run);
}

/* Names of points: the top two bits say whether the point belongs to a, to b or to both; then come a's corner or edge
 * and b's. */
enum { OF_NONE, OF_A, OF_B, OF_BOTH };

static inline uint64_t feature_of(uint64_t kind, uint32_t a, uint32_t b)
{
    return kind << 62 | (uint64_t)(a & 0x7FFFFFFFu) << 31 | (b & 0x7FFFFFFFu);
}

/* The name of the same feature when the bodies are given in the other order. */
static inline uint64_t feature_swapped(uint64_t feature)
{
    const uint64_t kind = feature >> 62, mask = 0x7FFFFFFFu;
    return (kind >> 1 | (kind & 1) << 1) << 62 | (feature & mask) << 31 | (feature >> 31 & mask);
}

/* A body's z axis. */
static inline vec axis_of(const body *b)
{
    return (vec){b->at.turn.row[0].z, b->at.turn.row[1].z, b->at.turn.row[2].z};
}

/* The separation of a capsule's segment from another segment or from the middle of a ball, in axes parallel to the
 * world's with their origin at a's middle, and the name of the one contact point, as in convex_patch. False: they are
 * nearly parallel or meet at an end, so there may be two contact points. */
bool convex_segments(const body *a, const body *b, vec *normal, vec *on_a, double *sep, uint64_t *feature);

#endif
