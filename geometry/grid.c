/* SPDX-License-Identifier: MIT */
/* grid.c - the surface over a grid of heights: two triangles a cell, the closest point by branch and bound. */
#include "shape.h"
#include <string.h>

/* ---- Bounds ---------------------------------------------------------------------------------------------------- */

static double height_at(const grid *g, uint32_t i, uint32_t j) { return g->heights[(size_t)i * g->ny + j]; }

/* Level 0 bounds single cells, each further level blocks of two by two of the one before. */
static bool add_level(pcm_context *context, grid *g, uint32_t nx, uint32_t ny)
{
    grid_level  *level = &g->levels[g->n_levels];
    const size_t count = (size_t)nx * ny;
    level->low = pcm_allocate(context, 2 * count * sizeof *level->low);
    if (!level->low)
        return false;
    level->high = level->low + count;
    level->nx = nx;
    level->ny = ny;
    for (uint32_t i = 0; i < nx; i++)
        for (uint32_t j = 0; j < ny; j++) {
            double low = INFINITY, high = -INFINITY;
            for (uint32_t a = 0; a < 2; a++)
                for (uint32_t b = 0; b < 2; b++) {
                    if (g->n_levels == 0) {
                        const double h = height_at(g, i + a, j + b);
                        low = fmin(low, h);
                        high = fmax(high, h);
                        continue;
                    }
                    const grid_level *fine = level - 1;
                    const uint32_t    p = 2 * i + a < fine->nx ? 2 * i + a : 2 * i;
                    const uint32_t    q = 2 * j + b < fine->ny ? 2 * j + b : 2 * j;
                    low = fmin(low, fine->low[(size_t)p * fine->ny + q]);
                    high = fmax(high, fine->high[(size_t)p * fine->ny + q]);
                }
            level->low[(size_t)i * ny + j] = low;
            level->high[(size_t)i * ny + j] = high;
        }
    g->n_levels++;
    return true;
}

bool grid_finish(pcm_context *context, grid *g)
{
    uint32_t nx = g->nx - 1, ny = g->ny - 1;
    for (;;) {
        if (!add_level(context, g, nx, ny))
            return false;
        if (nx == 1 && ny == 1)
            return true;
        nx = (nx + 1) / 2;
        ny = (ny + 1) / 2;
    }
}

void grid_free(pcm_context *context, grid *g)
{
    pcm_free(context, g->x, g->nx * sizeof *g->x);
    pcm_free(context, g->y, g->ny * sizeof *g->y);
    pcm_free(context, g->heights, (size_t)g->nx * g->ny * sizeof *g->heights);
    for (uint32_t k = 0; k < g->n_levels; k++)
        pcm_free(context, g->levels[k].low, 2 * (size_t)g->levels[k].nx * g->levels[k].ny * sizeof(double));
    memset(g, 0, sizeof *g);
}

/* ---- The closest point ----------------------------------------------------------------------------------------- */

typedef struct nearest {
    double square; /* of the distance */
    vec    point, normal;
} nearest;

static vec grid_corner(const grid *g, uint32_t i, uint32_t j) { return (vec){g->x[i], g->y[j], height_at(g, i, j)}; }

static vec closest_on_segment(vec p, vec a, vec b)
{
    const vec    ab = sub(b, a);
    const double t = dot(sub(p, a), ab) / dot(ab, ab);
    return along(a, ab, fmin(fmax(t, 0), 1));
}

/* The triangle's point nearest to p: within its sides where the foot of the plumb line is, else on the nearest side. */
static vec closest_on_triangle(vec p, const vec t[3], vec normal)
{
    const vec foot = along(p, normal, -dot(sub(p, t[0]), normal));
    bool      inside = true;
    for (int k = 0; k < 3; k++)
        inside &= dot(cross(sub(t[(k + 1) % 3], t[k]), sub(foot, t[k])), normal) >= 0;
    if (inside)
        return foot;
    vec    best = closest_on_segment(p, t[0], t[1]);
    double least = dot(sub(p, best), sub(p, best));
    for (int k = 1; k < 3; k++) {
        const vec    q = closest_on_segment(p, t[k], t[(k + 1) % 3]);
        const double square = dot(sub(p, q), sub(p, q));
        if (square < least) {
            least = square;
            best = q;
        }
    }
    return best;
}

/* The two triangles of cell (i, j), counter-clockwise from above. */
static void cell_triangle(const grid *g, uint32_t i, uint32_t j, int which, vec t[3], vec *normal)
{
    t[0] = grid_corner(g, i, j);
    t[1] = which == 0 ? grid_corner(g, i + 1, j) : grid_corner(g, i + 1, j + 1);
    t[2] = which == 0 ? grid_corner(g, i + 1, j + 1) : grid_corner(g, i, j + 1);
    *normal = unit_or(cross(sub(t[1], t[0]), sub(t[2], t[0])), (vec){0, 0, 1});
}

static void try_cell(const grid *g, uint32_t i, uint32_t j, vec p, nearest *best)
{
    for (int which = 0; which < 2; which++) {
        vec t[3], normal;
        cell_triangle(g, i, j, which, t, &normal);
        const vec    q = closest_on_triangle(p, t, normal);
        const double square = dot(sub(p, q), sub(p, q));
        if (square < best->square)
            *best = (nearest){square, q, normal};
    }
}

static double gap(double v, double low, double high) { return v < low ? low - v : v > high ? v - high : 0; }

/* The square of the distance to a block's bounds; infinite for a block outside the grid. */
static double block_square(const grid *g, uint32_t k, uint32_t i, uint32_t j, vec p)
{
    const grid_level *level = &g->levels[k];
    if (i >= level->nx || j >= level->ny)
        return INFINITY;
    const uint64_t i1 = (uint64_t)(i + 1) << k, j1 = (uint64_t)(j + 1) << k;
    const double   dx = gap(p.x, g->x[(size_t)i << k], g->x[i1 < g->nx ? i1 : g->nx - 1]);
    const double   dy = gap(p.y, g->y[(size_t)j << k], g->y[j1 < g->ny ? j1 : g->ny - 1]);
    const size_t   at = (size_t)i * level->ny + j;
    const double   dz = gap(p.z, level->low[at], level->high[at]);
    return dx * dx + dy * dy + dz * dz;
}

/* Looks through a block, the nearest quarter first. The depth of the recursion is the number of levels. */
static void search(const grid *g, uint32_t k, uint32_t i, uint32_t j, vec p, nearest *best)
{
    if (k == 0) {
        try_cell(g, i, j, p, best);
        return;
    }
    double   squares[4];
    unsigned order[4] = {0, 1, 2, 3};
    for (uint32_t q = 0; q < 4; q++)
        squares[q] = block_square(g, k - 1, 2 * i + (q & 1), 2 * j + (q >> 1), p);
    for (int a = 1; a < 4; a++)
        for (int b = a; b > 0 && squares[order[b]] < squares[order[b - 1]]; b--) {
            const unsigned swapped = order[b];
            order[b] = order[b - 1];
            order[b - 1] = swapped;
        }
    for (int a = 0; a < 4 && squares[order[a]] < best->square; a++)
        search(g, k - 1, 2 * i + (order[a] & 1), 2 * j + (order[a] >> 1), p, best);
}

/* The cell below v among ascending lines. */
static uint32_t cell_of(const double *lines, uint32_t n, double v)
{
    uint32_t low = 0, high = n - 1;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (lines[middle] <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether p lies under the surface: within the rectangle and below the triangle there. */
static bool is_below(const grid *g, vec p)
{
    if (!(p.x >= g->x[0] && p.x <= g->x[g->nx - 1] && p.y >= g->y[0] && p.y <= g->y[g->ny - 1]))
        return false;
    const uint32_t i = cell_of(g->x, g->nx, p.x), j = cell_of(g->y, g->ny, p.y);
    const double   u = (p.x - g->x[i]) / (g->x[i + 1] - g->x[i]), v = (p.y - g->y[j]) / (g->y[j + 1] - g->y[j]);
    vec            t[3], normal;
    cell_triangle(g, i, j, v <= u ? 0 : 1, t, &normal);
    return dot(sub(p, t[0]), normal) <= 0;
}

/* The lines around p that lie within d of it. */
static void lines_within(const double *lines, uint32_t n, uint32_t cell, double v, double d, uint32_t *first,
                         uint32_t *last)
{
    *first = *last = cell;
    while (*first > 0 && lines[*first] > v - d)
        --*first;
    while (*last + 2 < n && lines[*last + 1] < v + d)
        ++*last;
}

/* So many cells are looked through one and all. */
#define FEW_CELLS 16u

double grid_closest(const grid *g, vec p, double reach, vec *closest, vec *normal)
{
    const uint32_t i = cell_of(g->x, g->nx, p.x), j = cell_of(g->y, g->ny, p.y);
    const bool     below = is_below(g, p);
    nearest        best = {.square = INFINITY};
    /* The cell below p bounds the search from the start. */
    try_cell(g, i, j, p, &best);
    const double near = fmin(sqrt(best.square), below ? INFINITY : reach);
    uint32_t     i0, i1, j0, j1;
    lines_within(g->x, g->nx, i, p.x, near, &i0, &i1);
    lines_within(g->y, g->ny, j, p.y, near, &j0, &j1);
    if ((uint64_t)(i1 - i0 + 1) * (j1 - j0 + 1) <= FEW_CELLS) {
        for (uint32_t a = i0; a <= i1; a++)
            for (uint32_t b = j0; b <= j1; b++)
                if (block_square(g, 0, a, b, p) < best.square)
                    try_cell(g, a, b, p, &best);
    } else {
        search(g, g->n_levels - 1, 0, 0, p, &best);
    }
    const double side = below ? -1 : 1, distance = sqrt(best.square);
    const double extent = fmax(g->x[g->nx - 1] - g->x[0], g->y[g->ny - 1] - g->y[0]);
    *closest = best.point;
    /* So near the surface the direction to it is rounding: the triangle's own normal is the limit. */
    const bool touching = distance <= 1e-12 * extent;
    *normal = touching ? best.normal : scale(sub(p, best.point), side / distance);
    return side * distance;
}
