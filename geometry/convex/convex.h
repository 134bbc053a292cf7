/* SPDX-License-Identifier: MIT */
/* convex.h - the separation of two convex bodies, each a core grown by a radius, in the axes of the first.
 *
 * Everything rests on one function: along a unit vector n, sep(n) = the lowest of b minus the highest of a. Its maximum
 * over all n is the distance where the bodies are apart and, negative, the depth where they overlap. So sep(n) of any n
 * is a bound from below. The bound from above comes from the inside: two points of the bodies that are apart, and a
 * polytope within the difference b - a that holds the origin where they overlap. */
#ifndef PCM_GEOMETRY_CONVEX_H
#define PCM_GEOMETRY_CONVEX_H

#include "shape.h"

/* Of the size: points that face each other are not more than this beside each other. */
#define BESIDE 1e-13

/* Points of the cores in the axes of each. */
typedef struct kept_corner {
    vec      a, b;
    uint32_t at_a, at_b;
} kept_corner;

/* What of a core faces the other body. */
typedef struct core_part {
    vec         at;           /* a point of it */
    vec         lines[2];     /* unit directions in which it goes on */
    int         n_lines;      /* 2: flat */
    double      from, to;     /* how far it goes on along a line */
    double      within;       /* how far at least, to all sides */
    vec         centre, axis; /* of a rim or cap */
    double      rim;          /* 0: none */
    double      cap;          /* the radius of a flat one about the centre; 0: none */
    const face *face;         /* of a polytope, where it lies in the plane of one and that is known */
} core_part;

/* The parts of the cores that faced each other. Where these overlapped, no direction farther than half of `cone`
 * (rad) from the normal parted them at less than `bound`: since no point of b moves by more than a bound that follows
 * from its placings, that is known wherever it has moved a little since. */
typedef struct convex_proof {
    core_part a, b; /* each in its own axes */
    vec       normal;
    placing   b_in_a;
    double    bound, cone;
    double    tangent, cosine; /* of three eighths and three quarters of the cone */
} convex_proof;

/* What the last search of a pair found, which the next one tries first: the direction, the simplex or corners of the
 * answer, and a proof. Points are those of the bodies, wherever these have moved since, so that an answer found from
 * them has the same proof as any other. Start from all zero. */
typedef struct convex_cache {
    uint64_t    a, b;    /* the geometries, in this order, by number: their addresses are used again */
    bool        swapped; /* named the other way round */
    vec         normal;  /* in a's axes */
    vec         ahead;   /* where a proven one turns to, as it has turned last */
    kept_corner seed[3];
    uint8_t     n_seed;
    core_part   met[2];              /* each in its own axes: what the points lay on when they were polished last */
    bool        proven;              /* and n_seed > 0 */
    uint8_t     lasted, pause, rest; /* steps: of the proof so far, between proofs that do not last, and left of that */
    convex_proof proof;
} convex_cache;

typedef struct convex_pair {
    const pcm_geometry *a, *b;
    convex_cache       *cache; /* NULL: every search starts anew */
    placing             b_in_a;
    double              size;       /* of the larger body: what is small is small against this */
    double              rounding;   /* how well a point of the difference is known */
    double              closed;     /* bounds so near each other are closed */
    double              reach;      /* a gap of the cores beyond this is of no interest */
    bool                rims;       /* one of them has a rim */
    uint32_t            at_a, at_b; /* the corners of the last support, from which the next walk starts */
} convex_pair;

/* Points of the cores that are the farthest along some direction: w = b - a is a point of their difference. */
typedef struct vertex {
    vec      a, b, w;
    uint32_t at_a, at_b; /* the corners, of polytopes */
} vertex;

/* Up to four points of the difference and the weights of the point that is nearest to the origin. */
typedef struct simplex {
    vertex v[4];
    double weight[4];
    int    n;
} simplex;

/* Of the cores; radii come on top. */
typedef struct convex_result {
    double sep;        /* along the normal, between on_a and on_b */
    double low, high;  /* proven: low <= the true separation <= high */
    vec    normal;     /* unit, from a towards b */
    vec    on_a, on_b; /* points of the cores; on_b - on_a = sep * normal */
    double cone;       /* rad; of bodies that overlap: no direction within this of the normal is better */
    double cosine;     /* of that, less what rounding takes */
    double bent, flat; /* by what: at an angle from the normal they are deeper by half of `bent` times the square of its
                          sine, and by `flat` times its sine, than by its cosine times the depth */
    bool witnessed;    /* on_a and on_b are known */
    bool supported;    /* the pair's corners at_a and at_b are the farthest along the normal */
} convex_result;

/* No point of the difference is farther from the origin, where b is at that place. */
static inline double convex_extent(const pcm_geometry *a, const pcm_geometry *b, vec at)
{
    return a->size + b->size + norm(at);
}

/* Of the extent: how well a point of the difference is known. */
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

/* Gives a pair its cache, which forgets what is of other bodies or of another order. */
void convex_remember(convex_pair *pair, convex_cache *cache, bool swapped);

/* The point of the core that is farthest along d, in its own axes; *at is the corner to start from and the one found.
 */
vec core_support(const pcm_geometry *g, vec d, uint32_t *at);

vec    support_a(convex_pair *pair, vec d);
vec    support_b(convex_pair *pair, vec d);
vertex support_of(convex_pair *pair, vec n); /* a's highest and b's lowest point along n */
double sep_along(convex_pair *pair, vec n);

/* The simplex's point nearest to the origin, by its weights, and its direction. */
vec simplex_mean(const simplex *s);
vec simplex_direction(const simplex *s, vec v);

/* Reduces a simplex to the points that support its point nearest to the origin, and weighs them; false: the origin lies
 * inside. */
bool simplex_nearest(simplex *s);

/* The points of the cores that the weights give. */
void simplex_points(const simplex *s, vec *on_a, vec *on_b);

/* Whether the pair's cores have a closed form, and if so its answer. */
bool convex_closed_form(const convex_pair *pair, convex_result *result);

/* How far a point is from a core, in the core's axes: the unit normal out of it, and its closest point. */
typedef struct outside {
    double sep;
    vec    normal, closest;
} outside;

/* False where there is no closed form: outside of a hull. */
bool convex_outside(const pcm_geometry *core, vec p, outside *out);

/* The same for two boxes that overlap, without witnesses. */
bool convex_boxes(const convex_pair *pair, convex_result *result);

/* The distance of the cores by the algorithm of Gilbert, Johnson and Keerthi, from the simplex *s, which has weights;
 * false when they overlap or are too near each other for a direction. *s is the last simplex, of four points where they
 * overlap. */
bool convex_distance(convex_pair *pair, vec start, simplex *s, convex_result *result);

/* From a point of a's core to one of b's, about which they hold the balls of their insides: of such points near each
 * other. */
vec convex_between(const convex_pair *pair);

/* Whether no direction at all betters one that none within its cone does. */
bool convex_is_global_by_ball(convex_pair *pair, const convex_result *result);

/* Points of the difference that tell whether any direction farther from n than `within`, by the tangent of the angle,
 * parts cores that overlap at less than the depth. */
enum { OPTIMUM_POINTS = 24 };
typedef struct optimum {
    vec      n;
    double   depth, within;
    vec      points[OPTIMUM_POINTS];
    unsigned n_points;
    vec      better; /* of BEATEN: one that does */
} optimum;

/* Takes more points where they are needed. */
typedef enum verdict { UNDECIDED, GLOBAL, BEATEN } verdict;
verdict convex_is_global(convex_pair *pair, optimum *r);

/* The separation of polytopes that overlap, from a direction on; false: it is not found, or not proven. */
bool convex_facets(convex_pair *pair, vec from, convex_result *result);

/* The separation of cores that overlap, from a direction on, such as that between their middles; false: it is not
 * found, or not proven, though no direction within the result's cone, if that is more than 0, betters it. */
bool convex_climb(convex_pair *pair, vec from, convex_result *result);

/* The separation of cores that overlap or nearly touch, from the last simplex of the distance; *result is what is known
 * already, and *peak what convex_climb found and did not prove, or NULL. */
void convex_expand(convex_pair *pair, const simplex *from, const convex_result *peak, convex_result *result);

/* A point of the difference, kept, and where it is now. */
kept_corner convex_kept(const convex_pair *pair, const vertex *v);
vertex      convex_vertex(const convex_pair *pair, const kept_corner *kept);

/* Keeps a simplex or facet, of the direction, and forgets the polytope. Nothing where the pair has no cache. */
void convex_keep(const convex_pair *pair, const simplex *s, vec normal);

/* The kept simplex where the bodies are now; false: there is none. */
bool convex_recall(const convex_pair *pair, simplex *s);

/* Bodies that are still beyond reach along the last direction. */
bool convex_apart_as_before(convex_pair *pair, convex_result *result);

/* No point of b's core has moved by more, in a's axes, since it was at `then`. */
double convex_moved_by(const convex_pair *pair, const placing *then);

/* Betters the direction and the points of bodies with rims, which lie between the points of the simplex; false: what
 * they lie on is not understood, and nothing has changed. */
bool convex_polish(convex_pair *pair, simplex s, convex_result *result);

/* Bodies with rims, apart. */
bool convex_polish_apart(convex_pair *pair, const simplex *s, vec n, convex_result *result);

/* Of what convex_polish has found last, which the pair's cache keeps: how far the normal of bodies that overlap may
 * turn before they could be parted sooner, by whole faces. */
double convex_cone(convex_pair *pair, const convex_result *result);

/* The least depth along any direction farther than half of the cone from the normal, by what convex_polish knows. */
double convex_outer_bound(const convex_pair *pair, const convex_result *result);

/* Keeps it as the proof of answers to come. bound: 0 of bodies apart. */
void convex_prove(const convex_pair *pair, const convex_result *result, double bound);

/* The same by points of the difference: those of *r, and more where they are needed. No proof where they do not tell.
 */
void convex_prove_by_points(convex_pair *pair, convex_result result, optimum *r);

/* The answer on the same features where the bodies are now; false: it is not proven. */
bool convex_warm_start(convex_pair *pair, convex_result *result);

/* The same of polytopes that overlap on a face and a corner, or on an edge of each, well amid these. */
bool convex_facet_warm(convex_pair *pair, convex_result *result);

/* The separation of cores of which one has a rim, by a cover of all directions; *result is what is known already. */
void convex_cover(convex_pair *pair, convex_result *result);

/* Points of the cores that face each other along the normal, on what lies around it. */
void convex_face(convex_pair *pair, convex_result *result);

/* Moves the points across the normal until they face each other, and along it to where each core ends, which is
 * result->low apart. */
void convex_align(convex_pair *pair, convex_result *result);

/* The separation of any cores by the three above. */
void convex_search(convex_pair *pair, convex_result *result);

/* The separation of the cores by whichever of the above fits. Gaps beyond pair->reach are told no better than that. */
convex_result convex_separate(convex_pair *pair);

/* One place where the bodies face each other, on their surfaces. */
typedef struct witness {
    uint64_t feature;
    vec      on_a, on_b;
    double   gap;
    double   share, area; /* of the patch */
} witness;

/* Of the size: a reach beyond this is as good as none. */
#define ENDLESS 1e9

/* What a point counts for: nothing as it comes within reach, so that it comes and goes without a leap of the others. */
static inline double presence(double share, double gap, double reach, double size)
{
    return gap <= reach ? (share + 1e-12) * (smaller(reach - gap, ENDLESS * size) + 1e-12 * size) : 0;
}

/* Directions closer than this are one. */
#define ALIGNED 1e-6

/* Faces and lines that are tilted by an angle of this sine face nothing any more but with their nearest points. */
#define TILT 0.03

static inline bool is_square(vec run, vec n)
{
    const double d = dot(run, n);
    return d * d < ALIGNED * ALIGNED * dot(run, run);
}

/* Names of points: what makes the point in the top two bits, then a's corner or edge, then b's. */
enum { OF_NONE, OF_A, OF_B, OF_BOTH };

static inline uint64_t feature_of(uint64_t kind, uint32_t a, uint32_t b)
{
    return kind << 62 | (uint64_t)(a & 0x7FFFFFFFu) << 31 | (b & 0x7FFFFFFFu);
}

/* The name of a feature when the bodies change sides. */
static inline uint64_t feature_swapped(uint64_t feature)
{
    const uint64_t kind = feature >> 62, mask = 0x7FFFFFFFu;
    return (kind >> 1 | (kind & 1) << 1) << 62 | (feature & mask) << 31 | (feature >> 31 & mask);
}

/* No patch has more: two faces of FACE_CORNERS_MAX corners, and as many crossings of their sides. */
#define PATCH_MAX (4 * FACE_CORNERS_MAX)

/* The places where the two bodies face each other along result->normal, the deepest first, each with its share of the
 * patch by its presence within the pair's reach. Force and moment of a law at those shares change continuously with the
 * motion and the normal. Returns how many there are, at least 1 and at most PATCH_MAX. A result without witnesses gets
 * them. */
uint32_t convex_patch(convex_pair *pair, convex_result *result, witness patch[PATCH_MAX]);

/* A body's z axis. */
static inline vec axis_of(const body *b)
{
    return (vec){b->at.turn.row[0].z, b->at.turn.row[1].z, b->at.turn.row[2].z};
}

/* The separation of a capsule's segment and that of another or the middle of a ball, in axes parallel to the world's
 * about a's middle, and the name of the one place where they face each other, as convex_patch would tell; false: they
 * are nearly parallel or meet at an end, and may face each other in two. */
bool convex_segments(const body *a, const body *b, vec *normal, vec *on_a, double *sep, uint64_t *feature);

#endif
