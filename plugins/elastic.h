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

/* Whether some lane is an ellipse, or, with extents, a line or flat; else all are spheres, which are cheaper. own: the
 * radius that the file gives, above 0 for spheres alone. One lane does not look: it has a straight line to follow. */
PCM_INLINE int elastic_shaped(const pcm_batch *b, double own, int extents)
{
    uint64_t any = 0;
#if defined(PCM_ONE_LANE)
    (void)extents;
    any = b->count;
#else
    _Pragma("omp simd reduction(| : any)") for (size_t i = 0; i < b->count; i++) any |=
        (uint64_t)(b->curvature_1[i] < b->curvature_2[i]);
    if (extents)
        _Pragma("omp simd reduction(| : any)") for (size_t i = 0; i < b->count; i++) any |=
            (uint64_t)(b->patch_part[i] > 0);
#endif
    return !(own > 0) && any;
}

/* The verb update of a law whose function press(b, &law, shaped) handles either. */
#define ELASTIC_UPDATE(press, own, extents)                                                                            \
    static void update(const pcm_batch *b)                                                                             \
    {                                                                                                                  \
        const Law law = *(const Law *)b->params;                                                                       \
        if (elastic_shaped(b, own, extents))                                                                           \
            press(b, &law, 1);                                                                                         \
        else                                                                                                           \
            press(b, &law, 0);                                                                                         \
    }

/* The radius of the sphere that stands for a point. A circle keeps the bits of the radius that hosts give. */
PCM_INLINE double elastic_radius(const pcm_batch *b, size_t i, double own, int shaped)
{
    const double least = b->curvature_1[i], most = b->curvature_2[i], given = b->radius[i], round = 1 / most;
    const double known = shaped ? pcm_hertz_radius(least, most) : round;
    const double even = least < most ? known : pcm_abs(most * given - 1) < 1e-15 ? given : round;
    return pcm_choose(own > 0, own, most >= 0 ? even : given);
}

/* The radius of the sphere with the same gap by area, for forces across it (Derjaguin). */
PCM_INLINE double elastic_mean_radius(const pcm_batch *b, size_t i, double own)
{
    const double least = b->curvature_1[i], most = b->curvature_2[i], round = elastic_radius(b, i, own, 0);
    return pcm_choose(own > 0, own, least < most ? 1 / pcm_sqrt(least * most) : round);
}

/* The contact of lane i at a depth of at least 0. */
PCM_INLINE Touch elastic_touch(const pcm_batch *b, size_t i, double modulus, double own, double depth, int shaped)
{
    const Elastic point = elastic_point(modulus, elastic_radius(b, i, own, shaped), depth), none = {0, 0, 0};
    if (!shaped)
        return (Touch){point, none, 1, 0};
    const double  length = b->line_length[i], curvature = b->line_curvature[i], part = b->patch_part[i];
    const double  area = b->flat_area[i], aspect = b->flat_aspect[i], of_whole = part > 0 ? part : 0;
    const double  rest = b->point_part[i], of_point = part > 0 ? rest : 1;
    const Elastic line = elastic_line(modulus, length, length > 0 ? curvature : 1, depth);
    const Elastic flat = elastic_flat(modulus, area, aspect, depth);
    const double  is_line = length > 0 ? 1 : 0, is_whole = of_whole > 0 ? 1 : 0, is_point = of_point > 0 ? 1 : 0;
    Touch         t = {none, none, of_point, of_whole};
    t.point.force = is_point > 0 ? point.force : 0;
    t.point.circle = is_point > 0 ? point.circle : 0;
    t.point.work = is_point > 0 ? point.work : 0;
    t.whole.force = is_whole > 0 ? (is_line > 0 ? line.force : flat.force) : 0;
    t.whole.circle = is_whole > 0 ? (is_line > 0 ? line.circle : flat.circle) : 0;
    t.whole.work = is_whole > 0 ? (is_line > 0 ? line.work : flat.work) : 0;
    return t;
}
