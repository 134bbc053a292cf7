/* SPDX-License-Identifier: MIT */
/* smooth.c - a smooth surface through a grid of heights: a bicubic spline, whose slopes and curvatures are continuous.
 *
 * Along each grid line it is a cubic spline (de Boor 1962). At the ends of a line it has the slope of the cubic through
 * the four points there. In a cell it is the bicubic with the heights, slopes and twists of the cell's four corners. */
#include "grid.h"

enum { NEWTON_STEPS = 40, HALVINGS = 12, SAMPLES = 4 };

/* ---- Splines along lines ----------------------------------------------------------------------------------------- */

/* A line of values: value k is v[k * stride]. */
typedef struct line {
    const double *at;
    uint32_t      n;
    const double *v;
    size_t        stride;
} line;

/* The slope at the end `from` of the polynomial through up to four points, the next ones in direction `step`. */
static double end_slope(const line *l, uint32_t from, int step)
{
    const uint32_t count = l->n < 4 ? l->n : 4;
    double         slope = 0;
    for (uint32_t k = 1; k < count; k++) { /* Lagrange's formula at its first point */
        const uint32_t at = (uint32_t)((int64_t)from + step * (int64_t)k);
        const double   run = l->at[at] - l->at[from];
        double         weight = 1 / run;
        for (uint32_t i = 1; i < count; i++) {
            const uint32_t other = (uint32_t)((int64_t)from + step * (int64_t)i);
            weight *= i == k ? 1 : (l->at[other] - l->at[from]) / (l->at[other] - l->at[at]);
        }
        slope += weight * (l->v[at * l->stride] - l->v[from * l->stride]);
    }
    return slope;
}

/* The slopes of the spline, by Thomas' elimination; room: 2 n numbers. */
static void find_slopes(const line *l, double *slopes, double *room)
{
    const uint32_t n = l->n;
    double        *upper = room, *right = room + n;
    upper[0] = 0;
    right[0] = end_slope(l, 0, 1);
    for (uint32_t k = 1; k + 1 < n; k++) {
        const double before = l->at[k] - l->at[k - 1], after = l->at[k + 1] - l->at[k];
        const double rise = (l->v[k * l->stride] - l->v[(k - 1) * l->stride]) / before;
        const double next = (l->v[(k + 1) * l->stride] - l->v[k * l->stride]) / after;
        const double pivot = 2 * (before + after) - after * upper[k - 1];
        upper[k] = before / pivot;
        right[k] = (3 * (after * rise + before * next) - after * right[k - 1]) / pivot;
    }
    double last = end_slope(l, n - 1, -1);
    slopes[(n - 1) * l->stride] = last;
    for (uint32_t k = n - 1; k-- > 0;) {
        last = right[k] - upper[k] * last;
        slopes[k * l->stride] = last;
    }
}

/* ---- The surface ------------------------------------------------------------------------------------------------- */

/* The cubics on a stretch of unit length that have a value or a slope of 1 at one end, and their derivatives. */
typedef struct cubics {
    double value[4], slope[4], bend[4]; /* value at 0, value at 1, slope at 0, slope at 1 */
} cubics;

static cubics cubics_at(double t, double length)
{
    const double r = 1 - t, per = 1 / length;
    return (cubics){
        {(1 + 2 * t) * r * r, t * t * (3 - 2 * t), t * r * r * length, -t * t * r * length},
        {-6 * t * r * per, 6 * t * r * per, r * (1 - 3 * t), t * (3 * t - 2)},
        {(12 * t - 6) * per * per, (6 - 12 * t) * per * per, (6 * t - 4) * per, (6 * t - 2) * per},
    };
}

static double product(const double p[4], const double q[4], double c[4][4])
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += p[i] * (q[0] * c[i][0] + q[1] * c[i][1] + q[2] * c[i][2] + q[3] * c[i][3]);
    return sum;
}

grid_point grid_surface(const grid *g, double x, double y)
{
    const uint32_t i = grid_cell(g->x, g->nx, x), j = grid_cell(g->y, g->ny, y);
    const double   dx = g->x[i + 1] - g->x[i], dy = g->y[j + 1] - g->y[j];
    const cubics   p = cubics_at((x - g->x[i]) / dx, dx), q = cubics_at((y - g->y[j]) / dy, dy);
    double         c[4][4];
    for (uint32_t a = 0; a < 2; a++)
        for (uint32_t b = 0; b < 2; b++) {
            const size_t at = (size_t)(i + a) * g->ny + j + b;
            c[a][b] = g->heights[at];
            c[a][b + 2] = g->slope_y[at];
            c[a + 2][b] = g->slope_x[at];
            c[a + 2][b + 2] = g->twist[at];
        }
    return (grid_point){.z = product(p.value, q.value, c),
                        .x = product(p.slope, q.value, c),
                        .y = product(p.value, q.slope, c),
                        .xx = product(p.bend, q.value, c),
                        .xy = product(p.slope, q.slope, c),
                        .yy = product(p.value, q.bend, c)};
}

/* The largest distance, upwards or downwards, of the surface from the triangles, at some points of each cell. */
static double find_sag(const grid *g)
{
    double most = 0;
    for (uint32_t i = 0; i + 1 < g->nx; i++)
        for (uint32_t j = 0; j + 1 < g->ny; j++)
            for (int k = 0; k <= SAMPLES * (SAMPLES + 2); k++) {
                const double u = (double)(k % (SAMPLES + 1)) / SAMPLES, v = (double)(k / (SAMPLES + 1)) / SAMPLES;
                const double x = g->x[i] + u * (g->x[i + 1] - g->x[i]), y = g->y[j] + v * (g->y[j + 1] - g->y[j]);
                vec          t[3], n;
                grid_triangle(g, i, j, v <= u ? 0 : 1, t, &n);
                const double flat = t[0].z - (n.x * (x - t[0].x) + n.y * (y - t[0].y)) / n.z;
                most = larger(most, fabs(grid_surface(g, x, y).z - flat));
            }
    return most;
}

bool grid_smooth(pcm_context *context, grid *g)
{
    const size_t count = (size_t)g->nx * g->ny, most = g->nx > g->ny ? g->nx : g->ny;
    double      *room = pcm_allocate(context, 2 * most * sizeof *room);
    g->slope_x = pcm_allocate(context, 3 * count * sizeof *g->slope_x);
    if (!room || !g->slope_x) {
        pcm_free(context, room, 2 * most * sizeof *room);
        return false;
    }
    g->slope_y = g->slope_x + count;
    g->twist = g->slope_y + count;
    for (uint32_t j = 0; j < g->ny; j++)
        find_slopes(&(line){g->x, g->nx, g->heights + j, g->ny}, g->slope_x + j, room);
    for (uint32_t i = 0; i < g->nx; i++) {
        const size_t row = (size_t)i * g->ny;
        find_slopes(&(line){g->y, g->ny, g->heights + row, 1}, g->slope_y + row, room);
        find_slopes(&(line){g->y, g->ny, g->slope_x + row, 1}, g->twist + row, room);
    }
    pcm_free(context, room, 2 * most * sizeof *room);
    g->sag = 1.25 * find_sag(g);
    return true;
}

void grid_roughen(pcm_context *context, grid *g)
{
    pcm_free(context, g->slope_x, 3 * (size_t)g->nx * g->ny * sizeof *g->slope_x);
    g->slope_x = NULL;
}

/* ---- The closest point ------------------------------------------------------------------------------------------- */

static vec normal_of(const grid_point *s) { return unit_or((vec){-s->x, -s->y, 1}, (vec){0, 0, 1}); }

static double clamp(double v, double low, double high) { return smaller(larger(v, low), high); }

/* Half the square of the distance from p of the surface's point over (x, y). */
static double half_square(const grid *g, vec p, double x, double y)
{
    const double dx = x - p.x, dy = y - p.y, dz = grid_surface(g, x, y).z - p.z;
    return 0.5 * (dx * dx + dy * dy + dz * dz);
}

/* Newton's step; where the distance is not convex, that of Gauss and Newton. */
static void step(const grid_point *s, vec p, double x, double y, double *to_x, double *to_y)
{
    const double dz = s->z - p.z, gx = x - p.x + dz * s->x, gy = y - p.y + dz * s->y;
    double       xx = 1 + s->x * s->x + dz * s->xx, xy = s->x * s->y + dz * s->xy, yy = 1 + s->y * s->y + dz * s->yy;
    if (!(xx > 0 && xx * yy - xy * xy > 1e-6 * xx * fabs(yy))) {
        xx = 1 + s->x * s->x;
        xy = s->x * s->y;
        yy = 1 + s->y * s->y;
    }
    const double det = xx * yy - xy * xy;
    *to_x = (xy * gy - yy * gx) / det;
    *to_y = (xy * gx - xx * gy) / det;
}

double grid_near_surface(const grid *g, vec p, vec *closest, vec *normal)
{
    const double low_x = g->x[0], high_x = g->x[g->nx - 1], low_y = g->y[0], high_y = g->y[g->ny - 1];
    const double extent = larger(high_x - low_x, high_y - low_y);
    double       x = clamp(closest->x, low_x, high_x), y = clamp(closest->y, low_y, high_y);
    double       least = half_square(g, p, x, y);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        const grid_point s = grid_surface(g, x, y);
        double           dx, dy, share = 1;
        step(&s, p, x, y, &dx, &dy);
        int halved = 0;
        for (; halved < HALVINGS; halved++, share *= 0.5) {
            const double u = clamp(x + share * dx, low_x, high_x), v = clamp(y + share * dy, low_y, high_y);
            const double here = half_square(g, p, u, v);
            if (here > least)
                continue;
            dx = u - x;
            dy = v - y;
            x = u;
            y = v;
            least = here;
            break;
        }
        if (halved == HALVINGS || fabs(dx) + fabs(dy) <= 1e-15 * extent)
            break;
    }
    const grid_point s = grid_surface(g, x, y);
    const vec        n = normal_of(&s), between = sub(p, (vec){x, y, s.z});
    const double     distance = norm(between), side = dot(between, n) < 0 ? -1 : 1;
    const bool       inside = x > low_x && x < high_x && y > low_y && y < high_y;
    *closest = (vec){x, y, s.z};
    *normal = inside || distance <= 1e-12 * extent ? n : scale(between, side / distance);
    return inside ? dot(between, n) : side * distance;
}

void grid_curvatures(const grid *g, double x, double y, double *most, double *less, vec *flattest)
{
    const grid_point s = grid_surface(g, x, y);
    const double     w = sqrt(1 + s.x * s.x + s.y * s.y), e = 1 + s.x * s.x, f = s.x * s.y / e;
    const double     rest = 1 + s.y * s.y - f * f * e; /* the second tangent's square, less its part along the first */
    const double     a = -s.xx / (w * e), b = -(s.xy - f * s.xx) / (w * sqrt(e * rest));
    const double     d = -(s.yy - 2 * f * s.xy + f * f * s.xx) / (w * rest);
    const double     half = 0.5 * (a - d), apart = sqrt(half * half + b * b);
    const vec        u = scale((vec){1, 0, s.x}, 1 / sqrt(e)), v = cross(normal_of(&s), u);
    const double     c = apart > 0 ? half / apart : 1, t = apart > 0 ? b / apart : 0;
    *most = 0.5 * (a + d) + apart;
    *less = 2 * apart;
    *flattest = along(scale(u, (t > 0 ? -1 : 1) * sqrt(larger(0.5 * (1 - c), 0))), v, sqrt(larger(0.5 * (1 + c), 0)));
}
