/* SPDX-License-Identifier: MIT */
/* look.c - what a body's surface is at a contact. */
#include "gap.h"
#include "grid.h"

/* The sine of an angle below which a normal is perpendicular to an axis within rounding. */
#define UPRIGHT 1e-6

#define PI 3.14159265358979324

static double sine(vec a, vec b) { return norm(cross(a, b)); }

/* The side of a capsule or cylinder, and whether the place is on it. A capsule's ends are round. */
static void look_at_side(const body *b, vec point, vec n, look *out)
{
    const pcm_geometry *g = b->geometry;
    const bool          drum = g->rim > 0;
    const double        half = drum ? g->half : g->core.corners[1].z, radius = drum ? g->rim : g->radius;
    out->axis = axis_of(b);
    out->length = 2 * half;
    out->leans = fabs(dot(out->axis, n));
    out->round = 1 / radius;
    const double from_end = half - fabs(dot(sub(point, b->at.at), out->axis));
    if (out->leans < UPRIGHT && from_end > (drum ? -1e-9 : 1e-9) * g->size) {
        out->is_round = true;
        out->curvature = out->less = 1 / radius;
        out->flattest = out->axis;
    } else if (!drum) {
        out->is_round = true;
        out->curvature = 1 / radius;
    }
}

/* The cap of a cylinder, or a disk. */
static void look_at_cap(const body *b, vec n, look *out)
{
    const double rim = b->geometry->rim;
    out->normal = dot(axis_of(b), n) < 0 ? negate(axis_of(b)) : axis_of(b);
    out->area = PI * rim * rim;
    out->wide = 2 * rim;
    out->aspect = 1;
    out->corners = 3;
}

double gap_aspect(const vec *points, const double *weights, uint32_t count, vec n)
{
    const vec u = perpendicular(n), v = cross(n, u);
    double    w = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (uint32_t k = 0; k < count; k++) {
        const vec    r = sub(points[k], points[0]);
        const double p = dot(r, u), q = dot(r, v), m = weights ? weights[k] : 1;
        w += m, x += m * p, y += m * q, xx += m * p * p, xy += m * p * q, yy += m * q * q;
    }
    if (!(w > 0))
        return 1;
    const double a = xx - x * x / w, b = xy - x * y / w, c = yy - y * y / w;
    const double middle = 0.5 * (a + c), apart = sqrt(0.25 * (a - c) * (a - c) + b * b);
    return middle - apart > 1e-18 * middle ? larger(sqrt((middle + apart) / (middle - apart)), 1) : 1e9;
}

static const face *best_flat(const polytope *p, vec n)
{
    const face *best = &p->flats[0];
    for (uint32_t k = 1; k < p->n_flats; k++)
        if (dot(p->flats[k].normal, n) > dot(best->normal, n))
            best = &p->flats[k];
    return best;
}

static void look_at_faces(const body *b, vec n, look *out)
{
    const polytope *p = &b->geometry->core;
    const vec       own = rotate_back(&b->at.turn, n);
    const face     *f = best_flat(p, own);
    const vec       down = unit_or(across(own, f->normal), perpendicular(f->normal));
    vec             outline[FACE_CORNERS_MAX];
    double          low = INFINITY, high = -INFINITY;
    out->normal = rotate(&b->at.turn, f->normal);
    out->area = f->area;
    out->corners = outline_count(f);
    for (uint32_t k = 0; k < out->corners; k++) {
        outline[k] = p->corners[p->flat_loops[f->first + outline_corner(f, k)]];
        low = smaller(low, dot(down, outline[k]));
        high = larger(high, dot(down, outline[k]));
    }
    out->wide = high - low;
    out->aspect = gap_aspect(outline, NULL, out->corners, f->normal);
}

static void look_at_surface(const body *b, vec point, look *out)
{
    const vec p = transform_back(&b->at, point);
    vec       flattest;
    grid_curvatures(&b->geometry->grid, p.x, p.y, &out->curvature, &out->less, &flattest);
    out->is_round = true;
    out->flattest = rotate(&b->at.turn, flattest);
}

void gap_look(const body *b, vec point, vec n, look *out)
{
    const pcm_geometry *g = b->geometry;
    *out = (look){.aspect = 1};
    if (g->kind == PCM_GRID && grid_is_smooth(&g->grid))
        look_at_surface(b, point, out);
    if (g->kind == PCM_PLANE || g->kind == PCM_GRID || g->seams) {
        out->normal = g->kind == PCM_PLANE ? axis_of(b) : n;
        out->area = out->wide = INFINITY;
    } else if (is_ball(g)) {
        out->is_round = true;
        out->curvature = 1 / g->radius;
    } else if (g->kind == PCM_CAPSULE || (g->rim > 0 && g->half > 0)) {
        look_at_side(b, point, n, out);
    }
    if (g->rim > 0)
        look_at_cap(b, n, out);
    else if (g->core.n_flats > 0 && !g->seams)
        look_at_faces(b, n, out);
    out->tilt = out->area > 0 ? sine(out->normal, n) : 0;
}
