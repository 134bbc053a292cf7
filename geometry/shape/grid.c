/* SPDX-License-Identifier: MIT */
/* grid.c - the surface over a grid of heights, with two triangles per cell: its closest point, by branch and bound over
 * a pyramid of bounds. */
#include "grid.h"
#include <string.h>

static double height_at(const grid *g, uint32_t i, uint32_t j) { return g->heights[(size_t)i * g->ny + j]; }

static vec grid_corner(const grid *g, uint32_t i, uint32_t j) { return (vec){g->x[i], g->y[j], height_at(g, i, j)}; }

/* ---- Ridges ------------------------------------------------------------------------------------------------------ */

/* A bend below this counts as flat, as does one that is within the rounding of a file's heights to single precision. */
#define BEND   1e-6
#define SINGLE 2.5e-7

/* The corners and edges that belong to a cell: from (i, j) to (i + di, j + dj). Those at the far sides of the grid
 * belong to the last cells. */
static const struct {
    uint8_t i, j, di, dj;
    bool    last_x, last_y;
} own[GRID_RIDGES] = {
    {0, 0, 0, 0, false, false}, {1, 0, 0, 0, true, false},  {0, 1, 0, 0, false, true},
    {1, 1, 0, 0, true, true},   {0, 0, 1, 0, false, false}, {0, 1, 1, 0, false, true},
    {0, 0, 0, 1, false, false}, {1, 0, 0, 1, true, false},  {0, 0, 1, 1, false, false},
};

grid_ridge grid_ridge_of(const grid *g, uint32_t i, uint32_t j, unsigned which)
{
    grid_ridge r = {.i = i + own[which].i, .j = j + own[which].j, .di = own[which].di, .dj = own[which].dj};
    r.from = grid_corner(g, r.i, r.j);
    r.to = grid_corner(g, r.i + r.di, r.j + r.dj);
    return r;
}

/* Finds a neighbouring corner; false: it is outside the grid. */
static bool beside(const grid *g, uint32_t i, uint32_t j, int di, int dj, vec *at)
{
    const int64_t p = (int64_t)i + di, q = (int64_t)j + dj;
    if (p < 0 || q < 0 || p >= g->nx || q >= g->ny)
        return false;
    *at = grid_corner(g, (uint32_t)p, (uint32_t)q);
    return true;
}

/* The six neighbours of a corner, counter-clockwise from above, in the order in which triangles join them. */
static const int around[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};

/* The third corners of the triangles at an edge; returns how many there are. */
static int thirds(const grid *g, const grid_ridge *r, vec at[2])
{
    const bool di = r->di > 0, dj = r->dj > 0;
    int        n = 0;
    /* For the diagonal: the two other corners of its cell; otherwise one corner in each of the two adjacent cells. */
    const int left[2] = {di && dj ? 0 : 1, 1}, right[2] = {di && dj ? 1 : di ? 0 : -1, di && dj ? 0 : di ? -1 : 0};
    n += beside(g, r->i, r->j, left[0], left[1], &at[n]);
    n += beside(g, r->i, r->j, right[0], right[1], &at[n]);
    return n;
}

/* The normal of the triangle of three corners, pointing upwards. */
static vec upright_normal(vec a, vec b, vec c)
{
    const vec m = unit_or(cross(sub(b, a), sub(c, a)), (vec){0, 0, 1});
    return m.z < 0 ? negate(m) : m;
}

static bool is_corner(const grid_ridge *r) { return !r->di && !r->dj; }

/* Whether a corner stands out. One on or below the line between two opposite neighbours is never the only deepest
 * one. */
static bool is_convex_edge(const grid *g, const grid_ridge *r, double fine)
{
    for (int k = 0; k < 3; k++) {
        vec p, q;
        if (!beside(g, r->i, r->j, around[k][0], around[k][1], &p) ||
            !beside(g, r->i, r->j, around[k + 3][0], around[k + 3][1], &q))
            continue;
        const vec    run = sub(p, q);
        const double flat = run.x * run.x + run.y * run.y;
        const double t = ((r->from.x - q.x) * run.x + (r->from.y - q.y) * run.y) / flat;
        if (!(r->from.z - (q.z + t * run.z) > BEND * sqrt(flat) + fine))
            return false;
    }
    return true;
}

/* Whether the surface falls on both sides of an edge, or ends there. */
static bool is_ridge(const grid *g, const grid_ridge *r, double fine)
{
    vec third[2];
    if (thirds(g, r, third) < 2)
        return true;
    const vec away = sub(third[1], r->from);
    return -dot(upright_normal(r->from, r->to, third[0]), away) > BEND * norm(away) + fine;
}

static void mark_ridges(grid *g)
{
    const grid_level *cells = &g->levels[0];
    double            low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < (size_t)cells->nx * cells->ny; k++) {
        low = fmin(low, cells->low[k]);
        high = fmax(high, cells->high[k]);
    }
    for (uint32_t i = 0; i < cells->nx; i++)
        for (uint32_t j = 0; j < cells->ny; j++) {
            unsigned marks = 0;
            for (unsigned k = 0; k < GRID_RIDGES; k++) {
                const grid_ridge r = grid_ridge_of(g, i, j, k);
                const bool here = (!own[k].last_x || i + 1 == cells->nx) && (!own[k].last_y || j + 1 == cells->ny);
                const bool out = is_corner(&r) ? is_convex_edge(g, &r, SINGLE * (high - low))
                                               : is_ridge(g, &r, SINGLE * (high - low));
                marks |= (unsigned)(here && out) << k;
            }
            cells->marks[(size_t)i * cells->ny + j] = (uint16_t)marks;
        }
}

/* Neighbours of a corner count as equally high if the slope to them, up or down, is at most this share of the steepest
 * slope down from it. So a plateau keeps its corners under a face that is tilted a little. */
#define LENIENT 0.03

static double slope(vec n, vec from, vec to)
{
    const vec run = sub(to, from);
    return dot(n, run) / norm(run);
}

bool grid_cone(const grid *g, const grid_ridge *r, vec n[2])
{
    vec third[2];
    if (thirds(g, r, third) < 2)
        return false;
    for (int k = 0; k < 2; k++)
        n[k] = upright_normal(r->from, r->to, third[k]);
    return true;
}

/* Whether n points out of the surface. Beyond the rim of the rectangle there is nothing, and contacts do not point away
 * from it. */
static bool looks_out(vec normal, vec n) { return dot(normal, n) >= 0.5; }

/* Whether the corner is an end of the highest part along n: no neighbour is higher, within the tolerance, and all
 * neighbours that are as high lie on one side. */
static bool corner_holds(const grid *g, const grid_ridge *r, vec n)
{
    vec    ring[6], level[6];
    int    n_ring = 0, n_level = 0;
    double lowest = 0;
    for (int k = 0; k < 6; k++)
        n_ring += beside(g, r->i, r->j, around[k][0], around[k][1], &ring[n_ring]);
    for (int k = 0; k < n_ring; k++)
        lowest = smaller(lowest, slope(n, r->from, ring[k]));
    const double even = -LENIENT * (n_ring < 6 ? -1 : lowest) + 1e-9;
    if (n_ring < 6 && !looks_out(upright_normal(r->from, ring[0], ring[1]), n))
        return false;
    for (int k = 0; k < n_ring; k++) {
        const double rises = slope(n, r->from, ring[k]);
        if (rises > even)
            return false;
        if (rises >= -even)
            level[n_level++] = unit_or(sub(ring[k], r->from), n);
    }
    bool ends = n_level <= 1;
    for (int k = 0; k < n_level && !ends; k++)
        ends = dot(cross(level[k], level[(k + 1) % n_level]), n) < -1e-6;
    return ends;
}

bool grid_holds(const grid *g, const grid_ridge *r, vec n)
{
    vec third[2];
    if (n.z < -1e-9)
        return false;
    if (is_corner(r))
        return corner_holds(g, r, n);
    const int count = thirds(g, r, third);
    if (count < 2 && !looks_out(upright_normal(r->from, r->to, third[0]), n))
        return false;
    const double first = slope(n, r->from, third[0]), second = count > 1 ? slope(n, r->from, third[1]) : -1;
    return larger(first, second) <= -LENIENT * smaller(smaller(first, second), 0) + 1e-9;
}

bool grid_is_rim(const grid *g, const grid_ridge *r)
{
    const uint32_t i = r->i + r->di, j = r->j + r->dj;
    return (r->i == i && (i == 0 || i + 1 == g->nx)) || (r->j == j && (j == 0 || j + 1 == g->ny));
}

/* ---- Blocks of cells --------------------------------------------------------------------------------------------- */

/* Adds a level of bounds. Level 0 bounds single cells, each further level blocks of two by two of the one before. */
static bool add_level(pcm_context *context, grid *g, uint32_t nx, uint32_t ny)
{
    grid_level  *level = &g->levels[g->n_levels];
    const size_t count = (size_t)nx * ny;
    level->nx = nx;
    level->ny = ny;
    level->low = pcm_allocate(context, 2 * count * sizeof *level->low);
    level->marks = pcm_allocate(context, count * sizeof *level->marks);
    g->n_levels++;
    if (!level->low || !level->marks)
        return false;
    level->high = level->low + count;
    for (uint32_t i = 0; i < nx; i++)
        for (uint32_t j = 0; j < ny; j++) {
            double   low = INFINITY, high = -INFINITY;
            uint16_t marks = 0;
            for (uint32_t a = 0; a < 2; a++)
                for (uint32_t b = 0; b < 2; b++) {
                    if (g->n_levels == 1) {
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
                    marks |= fine->marks[(size_t)p * fine->ny + q];
                }
            level->low[(size_t)i * ny + j] = low;
            level->high[(size_t)i * ny + j] = high;
            level->marks[(size_t)i * ny + j] = marks;
        }
    return true;
}

bool grid_finish(pcm_context *context, grid *g)
{
    uint32_t nx = g->nx - 1, ny = g->ny - 1;
    for (;;) {
        if (!add_level(context, g, nx, ny))
            return false;
        if (g->n_levels == 1)
            mark_ridges(g);
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
    grid_roughen(context, g);
    for (uint32_t k = 0; k < g->n_levels; k++) {
        const size_t count = (size_t)g->levels[k].nx * g->levels[k].ny;
        pcm_free(context, g->levels[k].low, 2 * count * sizeof(double));
        pcm_free(context, g->levels[k].marks, count * sizeof(uint16_t));
    }
    memset(g, 0, sizeof *g);
}

/* ---- The closest point ------------------------------------------------------------------------------------------- */

typedef struct nearest {
    double square; /* the squared distance */
    vec    point, normal;
    bool   inside; /* the projection lies inside the triangle */
} nearest;

vec grid_on_segment(vec p, vec a, vec b)
{
    const vec    ab = sub(b, a);
    const double t = dot(sub(p, a), ab) / dot(ab, ab);
    return along(a, ab, fmin(fmax(t, 0), 1));
}

/* The projection if it lies inside the triangle, else the nearest point of its sides. */
vec grid_on_triangle(vec p, const vec t[3], vec normal, bool *inside)
{
    const vec foot = along(p, normal, -dot(sub(p, t[0]), normal));
    *inside = true;
    for (int k = 0; k < 3; k++)
        *inside &= dot(cross(sub(t[(k + 1) % 3], t[k]), sub(foot, t[k])), normal) >= 0;
    if (*inside)
        return foot;
    vec    best = grid_on_segment(p, t[0], t[1]);
    double least = dot(sub(p, best), sub(p, best));
    for (int k = 1; k < 3; k++) {
        const vec    q = grid_on_segment(p, t[k], t[(k + 1) % 3]);
        const double square = dot(sub(p, q), sub(p, q));
        if (square < least) {
            least = square;
            best = q;
        }
    }
    return best;
}

void grid_triangle(const grid *g, uint32_t i, uint32_t j, int which, vec t[3], vec *normal)
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
        grid_triangle(g, i, j, which, t, &normal);
        bool         inside;
        const vec    q = grid_on_triangle(p, t, normal, &inside);
        const double square = dot(sub(p, q), sub(p, q));
        if (square < best->square)
            *best = (nearest){square, q, normal, inside};
    }
}

/* False: the block is outside of the grid. */
static bool block_bounds(const grid *g, uint32_t k, uint32_t i, uint32_t j, vec *low, vec *high)
{
    const grid_level *level = &g->levels[k];
    if (i >= level->nx || j >= level->ny)
        return false;
    const uint64_t i1 = (uint64_t)(i + 1) << k, j1 = (uint64_t)(j + 1) << k;
    const size_t   at = (size_t)i * level->ny + j;
    *low = (vec){g->x[(size_t)i << k], g->y[(size_t)j << k], level->low[at]};
    *high = (vec){g->x[i1 < g->nx ? i1 : g->nx - 1], g->y[j1 < g->ny ? j1 : g->ny - 1], level->high[at]};
    return true;
}

static double gap(double v, double low, double high) { return v < low ? low - v : v > high ? v - high : 0; }

/* The square of the distance to a block's bounds; infinite for a block outside the grid. */
static double block_square(const grid *g, uint32_t k, uint32_t i, uint32_t j, vec p)
{
    vec low, high;
    if (!block_bounds(g, k, i, j, &low, &high))
        return INFINITY;
    const double dx = gap(p.x, low.x, high.x), dy = gap(p.y, low.y, high.y), dz = gap(p.z, low.z, high.z);
    return dx * dx + dy * dy + dz * dz;
}

/* The depth of the recursion is the number of levels. */
static void walk(const grid *g, uint32_t k, uint32_t i, uint32_t j, const grid_region *r, grid_take *take, void *user)
{
    vec low, high;
    if (!block_bounds(g, k, i, j, &low, &high) || low.x > r->high.x || high.x < r->low.x || low.y > r->high.y ||
        high.y < r->low.y || low.z > r->high.z || high.z < r->low.z)
        return;
    const unsigned marks = g->levels[k].marks[(size_t)i * g->levels[k].ny + j];
    if ((r->marked && !marks) || block_square(g, k, i, j, r->centre) > r->radius * r->radius)
        return;
    if (k == 0)
        take(user, i, j, marks);
    for (uint32_t q = 0; q < 4 && k > 0; q++)
        walk(g, k - 1, 2 * i + (q & 1), 2 * j + (q >> 1), r, take, user);
}

void grid_walk(const grid *g, const grid_region *region, grid_take *take, void *user)
{
    walk(g, g->n_levels - 1, 0, 0, region, take, user);
}

/* Searches a block, the nearest quarter first. The depth of the recursion is the number of levels. */
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

uint32_t grid_cell(const double *lines, uint32_t n, double v)
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
    const uint32_t i = grid_cell(g->x, g->nx, p.x), j = grid_cell(g->y, g->ny, p.y);
    const double   u = (p.x - g->x[i]) / (g->x[i + 1] - g->x[i]), v = (p.y - g->y[j]) / (g->y[j + 1] - g->y[j]);
    vec            t[3], normal;
    grid_triangle(g, i, j, v <= u ? 0 : 1, t, &normal);
    return dot(sub(p, t[0]), normal) <= 0;
}

/* The range of cells along one axis, around `cell`, that extend to within d of the coordinate v. */
static void lines_within(const double *lines, uint32_t n, uint32_t cell, double v, double d, uint32_t *first,
                         uint32_t *last)
{
    *first = *last = cell;
    while (*first > 0 && lines[*first] > v - d)
        --*first;
    while (*last + 2 < n && lines[*last + 1] < v + d)
        ++*last;
}

/* The most cells that are searched one by one. */
#define FEW_CELLS 16u

double grid_closest(const grid *g, vec p, double reach, vec *closest, vec *normal)
{
    const uint32_t i = grid_cell(g->x, g->nx, p.x), j = grid_cell(g->y, g->ny, p.y);
    const bool     below = is_below(g, p);
    nearest        best = {.square = INFINITY};
    /* The cell below p gives a first bound for the search. */
    try_cell(g, i, j, p, &best);
    const double near = fmin(sqrt(best.square), below ? INFINITY : reach + g->sag);
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
    if (grid_is_smooth(g))
        return grid_near_surface(g, p, closest, normal);
    /* This close to the surface the direction to it is only rounding error. The triangle's normal replaces it, which
     * equals that direction over the triangle. A point outside the rectangle may see the triangle from below. */
    const vec  between = scale(sub(p, best.point), side);
    const bool over = best.inside && dot(between, best.normal) > 0;
    *normal = over || distance <= 1e-12 * extent ? best.normal : scale(between, 1 / distance);
    return side * distance;
}
