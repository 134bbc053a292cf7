/* SPDX-License-Identifier: MIT */
/* vector.h - vectors, rotations and placements in three dimensions. */
#ifndef PCM_GEOMETRY_VECTOR_H
#define PCM_GEOMETRY_VECTOR_H

#include <pcm/pcm.h>
#include <math.h>

typedef struct vec {
    double x, y, z;
} vec;

typedef struct mat {
    vec row[3];
} mat;

/* Position and orientation of a body's axes: world = turn * body + at. */
typedef struct placing {
    mat turn;
    vec at;
} placing;

static inline vec    vec_of(const double p[3]) { return (vec){p[0], p[1], p[2]}; }
static inline vec    add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec    sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec    scale(vec a, double s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static inline vec    negate(vec a) { return (vec){-a.x, -a.y, -a.z}; }
static inline vec    along(vec p, vec d, double s) { return (vec){p.x + d.x * s, p.y + d.y * s, p.z + d.z * s}; }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double norm(vec a) { return sqrt(dot(a, a)); }
static inline vec    cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* fmax and fmin without a call and without NaN handling: one instruction each. */
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline bool   is_finite(vec a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static inline void vec_to(double out[3], vec a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

/* Two numbers in one SIMD register. */
typedef double  two __attribute__((vector_size(16)));
typedef int64_t two_bits __attribute__((vector_size(16)));

static inline two  two_of(const double p[2]) { return (two){p[0], p[1]}; }
static inline two  two_absolute(two a) { return (two)((two_bits)a & INT64_MAX); }
static inline void two_to(double out[2], two a)
{
    out[0] = a[0];
    out[1] = a[1];
}

/* The direction of a, or fallback where a is zero. */
static inline vec unit_or(vec a, vec fallback)
{
    const double n = norm(a);
    return n > 0 ? scale(a, 1 / n) : fallback;
}

/* a without its component along the unit vector n. */
static inline vec across(vec a, vec n) { return along(a, n, -dot(a, n)); }

/* Some unit vector perpendicular to the unit vector n. */
static inline vec perpendicular(vec n)
{
    const vec axis = fabs(n.x) < 0.6 ? (vec){1, 0, 0} : (vec){0, 1, 0};
    return unit_or(across(axis, n), (vec){0, 0, 1});
}

static inline vec rotate(const mat *m, vec a) { return (vec){dot(m->row[0], a), dot(m->row[1], a), dot(m->row[2], a)}; }
static inline vec rotate_back(const mat *m, vec a)
{
    return add(add(scale(m->row[0], a.x), scale(m->row[1], a.y)), scale(m->row[2], a.z));
}
static inline vec transform(const placing *p, vec a) { return add(rotate(&p->turn, a), p->at); }
static inline vec transform_back(const placing *p, vec a) { return rotate_back(&p->turn, sub(a, p->at)); }

static inline placing placing_identity(void) { return (placing){{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}}; }

static inline double square_of(const double q[4]) { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]; }

/* Whether a pose is finite and its quaternion not zero. */
static inline bool has_place(const pcm_pose *pose)
{
    const double n2 = square_of(pose->orientation);
    return isfinite(n2) && n2 >= 1e-300 && is_finite(vec_of(pose->position));
}

/* 2 / n2, where n2 is the squared norm of a quaternion and mostly 1 within rounding: this close to 1 it is 4 - 2 n2. */
#define NEARLY_UNIT 1e-9
static inline double twice_inverse(double n2) { return fabs(n2 - 1) < NEARLY_UNIT ? 4 - 2 * n2 : 2 / n2; }

/* The rotation of a quaternion that is not zero. */
static inline mat turn_of(const double q[4])
{
    const double s = twice_inverse(square_of(q)), w = q[0], x = q[1], y = q[2], z = q[3];
    return (mat){{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                  {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                  {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}};
}

/* The placing of a pose; false: the pose is not valid. */
static inline bool placing_of(const pcm_pose *pose, placing *out)
{
    if (!has_place(pose))
        return false;
    *out = (placing){turn_of(pose->orientation), vec_of(pose->position)};
    return true;
}

/* The placing `inner`, given in outer's axes, in the world's axes. */
static inline placing placing_compose(const placing *outer, const placing *inner)
{
    placing r = {.at = transform(outer, inner->at)};
    for (int i = 0; i < 3; i++)
        r.turn.row[i] = rotate_back(&inner->turn, outer->turn.row[i]);
    return r;
}

/* The placing of b in a's axes. */
static inline placing placing_relative(const placing *a, const placing *b)
{
    placing    r = {.at = transform_back(a, b->at)};
    const vec *p = a->turn.row, *q = b->turn.row;
    const vec  columns[3] = {{p[0].x, p[1].x, p[2].x}, {p[0].y, p[1].y, p[2].y}, {p[0].z, p[1].z, p[2].z}};
    for (int i = 0; i < 3; i++)
        r.turn.row[i] = add(add(scale(q[0], columns[i].x), scale(q[1], columns[i].y)), scale(q[2], columns[i].z));
    return r;
}

#endif
