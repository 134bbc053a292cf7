/* SPDX-License-Identifier: MIT */
/* elastic.h - the load of elastic half-spaces in contacts of any shape: points, circular or elliptic, lines, flats. */
#include <pcm/plugin.h>

/* The columns that these functions read, of points alone and of all. */
#define ELASTIC_POINTS (PCM_DEPTH | PCM_RADIUS | PCM_CURVATURE)
#define ELASTIC_INPUTS (ELASTIC_POINTS | PCM_EXTENT)

/* What a law's equations say of it. */
#define ELASTIC_SHAPES                                                                                                 \
    "An ellipse of principal curvatures k1 <= k2 carries as a sphere of another R does, by Hertz's integrals. A\n"     \
    "line of length l and curvature 1/R across it: fn = pi E* l d/(2 ln(4 R/b) - 1), b = sqrt(4 fn R/(pi E* l)),\n"    \
    "where 4 R is the size of the body that gives the logarithm its other end, as for a cylinder on a rigid\n"         \
    "plane; beyond d = 0.4 R on the tangent. A flat: 2 E* a d, a = sqrt(area/pi), more if it is long. A patch of\n"    \
    "several points has the law of the whole once. a is that of the circle of the same stiffness, dfn/dd/(2 E*).\n"    \
    "ReducedRadius > 0: all are spheres of it.\n"

typedef struct {
    double force, circle, work; /* N; m, the radius of the circle that is as stiff; J */
} Elastic;

/* What a lane has of the gap, and of a line or flat. Macros read them, so that compilers see that lanes are
 * independent. */
typedef struct {
    double radius, least, most;
} Gap;
typedef struct {
    double point, whole, length, curvature, area, aspect;
} Extent;
#define ELASTIC_GAP(b, i) ((Gap){(b)->radius[i], (b)->curvature_1[i], (b)->curvature_2[i]})
#define ELASTIC_EXTENT(b, i)                                                                                           \
    ((Extent){(b)->point_part[i], (b)->patch_part[i], (b)->line_length[i], (b)->line_curvature[i], (b)->flat_area[i],  \
              (b)->flat_aspect[i]})

/* The contact of a lane: its load as a point and as the whole line or flat that its pair shares, and its parts of both;
 * 0 where it has no part. */
typedef struct {
    Elastic point, whole;
    double  of_point, of_whole;
} Touch;

/* of_point times one number of the point plus of_whole times that of the whole. */
PCM_INLINE double touch_sum(Touch t, double point, double whole) { return t.of_point * point + t.of_whole * whole; }

PCM_INLINE Elastic elastic_point(double modulus, double radius, double depth)
{
    const double circle = pcm_sqrt(radius * depth), force = 4.0 / 3 * modulus * circle * depth;
    return (Elastic){force, circle, 0.4 * force * depth};
}

/* A line up to 2 exp(-3) of 4 R, where the formula begins to turn back, and its tangent beyond. */
PCM_INLINE Elastic elastic_line(double modulus, double length, double curvature, double depth)
{
    const double quarter = 0.25 * curvature, y = pcm_min(quarter * depth, 0x1.97db0ccceb0afp-4), w = pcm_hertz_line(y);
    const double along = 0x1.921fb54442d18p+1 * length, near = y / quarter, over = pcm_ramp(depth - near);
    const double circle = depth > 0 ? 0.5 * along / (w - 1) : 0, slope = 2 * modulus * circle;
    const double force = modulus * along * near / w, more = slope * over;
    return (Elastic){force + more, circle, force * near * (0.5 - 0.25 / w) + over * (force + 0.5 * more)};
}

PCM_INLINE Elastic elastic_flat(double modulus, double area, double aspect, double depth)
{
    const double radius = pcm_punch_radius(area, aspect), force = 2 * modulus * radius * depth;
    return (Elastic){force, depth > 0 ? radius : 0, 0.5 * force * depth};
}

/* What some lane of a batch needs: no more than spheres, which are cheap, ellipses as well, or also lines and flats. */
enum { ELASTIC_SPHERES, ELASTIC_ELLIPSES, ELASTIC_ALL };

/* most: the dearest that the law has. own: the radius that the file gives, above 0 for spheres alone. One lane does not
 * look: it has a straight line to follow. */
PCM_INLINE int elastic_needs(const pcm_batch *b, double own, int most)
{
#if defined(PCM_ONE_LANE)
    (void)b;
    return own > 0 ? ELASTIC_SPHERES : most;
#else
    uint64_t ellipses = 0, patches = 0;
    _Pragma("omp simd reduction(| : ellipses)") for (size_t i = 0; i < b->count; i++) ellipses |=
        (uint64_t)(b->curvature_1[i] < b->curvature_2[i]);
    if (most == ELASTIC_ALL)
        _Pragma("omp simd reduction(| : patches)") for (size_t i = 0; i < b->count; i++) patches |=
            (uint64_t)(b->patch_part[i] > 0);
    return own > 0 ? ELASTIC_SPHERES : patches ? ELASTIC_ALL : ellipses ? ELASTIC_ELLIPSES : ELASTIC_SPHERES;
#endif
}

/* The verb update of a law whose function press(b, &law, needs) handles what a batch needs. */
#define ELASTIC_UPDATE(press, own, most)                                                                               \
    static void update(const pcm_batch *b)                                                                             \
    {                                                                                                                  \
        const Law law = *(const Law *)b->params;                                                                       \
        const int needs = elastic_needs(b, own, most);                                                                 \
        if (needs == ELASTIC_SPHERES)                                                                                  \
            press(b, &law, ELASTIC_SPHERES);                                                                           \
        else if (most == ELASTIC_ALL && needs == ELASTIC_ALL)                                                          \
            press(b, &law, ELASTIC_ALL);                                                                               \
        else                                                                                                           \
            press(b, &law, ELASTIC_ELLIPSES);                                                                          \
    }

/* The radius of the sphere that stands for a point. A circle keeps the bits of the radius that hosts give. */
PCM_INLINE double elastic_radius(Gap g, double own, int needs)
{
    const double round = 1 / g.most, known = needs > ELASTIC_SPHERES ? pcm_hertz_radius(g.least, g.most) : round;
    const double even = g.least < g.most ? known : pcm_abs(g.most * g.radius - 1) < 1e-15 ? g.radius : round;
    return pcm_choose(own > 0, own, g.most >= 0 ? even : g.radius);
}

/* The radius of the sphere with the same gap by area, for forces across it (Derjaguin). */
PCM_INLINE double elastic_mean_radius(Gap g, double own)
{
    const double round = elastic_radius(g, own, ELASTIC_SPHERES);
    return pcm_choose(own > 0, own, g.least < g.most ? 1 / pcm_sqrt(g.least * g.most) : round);
}

PCM_INLINE Elastic elastic_where(double on, Elastic e)
{
    return (Elastic){on > 0 ? e.force : 0, on > 0 ? e.circle : 0, on > 0 ? e.work : 0};
}

/* The contact of a lane at a depth of at least 0. */
PCM_INLINE Touch elastic_touch(Gap g, Extent e, double modulus, double own, double depth, int needs)
{
    const Elastic point = elastic_point(modulus, elastic_radius(g, own, needs), depth), none = {0, 0, 0};
    if (needs != ELASTIC_ALL)
        return (Touch){point, none, 1, 0};
    const double  of_whole = pcm_max(e.whole, 0), of_point = e.whole > 0 ? e.point : 1;
    const double  is_line = e.length > 0 ? 1 : 0;
    const Elastic line = elastic_line(modulus, e.length, is_line > 0 ? e.curvature : 1, depth);
    const Elastic flat = elastic_flat(modulus, e.area, e.aspect, depth);
    const Elastic whole = {is_line > 0 ? line.force : flat.force, is_line > 0 ? line.circle : flat.circle,
                           is_line > 0 ? line.work : flat.work};
    return (Touch){elastic_where(of_point, point), elastic_where(of_whole, whole), of_point, of_whole};
}
