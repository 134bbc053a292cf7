/* SPDX-License-Identifier: MIT */
/* surface.c - a surface of triangles. A grid finds them: each cell lists the triangles whose boxes overlap it. */
#include "surface.h"
#include <pcm/spatial.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A triangle near a centre, and its nearest point. */
typedef struct candidate {
    int    face;
    double square, point[3]; /* squared distance; m */
} candidate;

struct pcm_lammps_surface {
    size_t count;
    double (*corner)[3][3];
    int (*vertex)[3];        /* equal numbers for equal corners */
    double     low[3], cell; /* the grid's lowest corner, and the edge of a cell, m */
    long       n[3];         /* number of cells along the axes */
    size_t    *first;        /* per cell: where its triangles begin in `face`; one more entry for the end */
    int       *face;         /* the triangles of all cells */
    uint32_t  *seen, now;    /* per triangle: the query that tested it last; the number of the present query */
    candidate *found;        /* room for all triangles */
    double     same;         /* m: points closer together than this count as the same */
};

static void minus(const double a[3], const double b[3], double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = a[k] - b[k];
}
static double square_between(const double a[3], const double b[3])
{
    double way[3];
    minus(a, b, way);
    return pcm_dot(way, way);
}

static void normal_of(double (*corner)[3], double normal[3])
{
    double first[3], second[3];
    minus(corner[1], corner[0], first);
    minus(corner[2], corner[0], second);
    pcm_cross(first, second, normal);
}

/* ---- Nearest points ---------------------------------------------------------------------------------------------- */

static void nearest_on_edge(const double a[3], const double b[3], const double y[3], double to[3])
{
    double edge[3], from[3];
    minus(b, a, edge);
    minus(y, a, from);
    const double part = pcm_dot(from, edge) / pcm_dot(edge, edge), u = part < 0 ? 0 : part > 1 ? 1 : part;
    for (int k = 0; k < 3; k++)
        to[k] = a[k] + u * edge[k];
}

/* The squared distance to a triangle: above it the nearest point is the foot of the perpendicular, otherwise it lies on
 * an edge that the centre is beyond. */
static double nearest(double (*corner)[3], const double y[3], double to[3])
{
    double normal[3], least = INFINITY;
    normal_of(corner, normal);
    for (int i = 0; i < 3; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 3];
        double        edge[3], out[3], from[3], point[3];
        minus(b, a, edge);
        pcm_cross(edge, normal, out);
        minus(y, a, from);
        if (pcm_dot(from, out) <= 0)
            continue;
        nearest_on_edge(a, b, y, point);
        const double square = square_between(point, y);
        if (square < least) {
            least = square;
            memcpy(to, point, sizeof point);
        }
    }
    if (least < INFINITY)
        return least;
    double from[3];
    minus(y, corner[0], from);
    const double height = pcm_dot(from, normal) / pcm_dot(normal, normal);
    for (int k = 0; k < 3; k++)
        to[k] = y[k] - height * normal[k];
    return square_between(to, y);
}

/* ---- A sphere ---------------------------------------------------------------------------------------------------- */

static size_t cell_index(const pcm_lammps_surface *s, long x, long y, long z)
{
    return ((size_t)z * (size_t)s->n[1] + (size_t)y) * (size_t)s->n[0] + (size_t)x;
}

/* The cells that contain `low` to `high`; false: none. */
static bool find_cells(const pcm_lammps_surface *s, const double low[3], const double high[3], long from[3], long to[3])
{
    for (int k = 0; k < 3; k++) {
        const double a = floor((low[k] - s->low[k]) / s->cell), b = floor((high[k] - s->low[k]) / s->cell);
        if (!(b >= 0 && a < (double)s->n[k]))
            return false;
        from[k] = a < 0 ? 0 : (long)a;
        to[k] = b < (double)s->n[k] ? (long)b : s->n[k] - 1;
    }
    return true;
}

static size_t find_in_cell(pcm_lammps_surface *s, size_t cell, const double centre[3], double reach, size_t n)
{
    for (size_t i = s->first[cell]; i < s->first[cell + 1]; i++) {
        const int  face = s->face[i];
        candidate *c = &s->found[n];
        if (s->seen[face] == s->now)
            continue;
        s->seen[face] = s->now;
        c->face = face;
        c->square = nearest(s->corner[face], centre, c->point);
        n += c->square <= reach * reach;
    }
    return n;
}

static void begin_query(pcm_lammps_surface *s)
{
    if (++s->now == 0) { /* the counter of queries has overflowed */
        memset(s->seen, 0, s->count * sizeof *s->seen);
        s->now = 1;
    }
}

static size_t find_candidates(pcm_lammps_surface *s, const double centre[3], double reach)
{
    double low[3], high[3];
    long   from[3], to[3];
    size_t n = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = centre[k] - reach;
        high[k] = centre[k] + reach;
    }
    begin_query(s);
    if (!find_cells(s, low, high, from, to))
        return 0;
    for (long z = from[2]; z <= to[2]; z++)
        for (long y = from[1]; y <= to[1]; y++)
            for (long x = from[0]; x <= to[0]; x++)
                n = find_in_cell(s, cell_index(s, x, y, z), centre, reach, n);
    return n;
}

static int by_distance(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    if (p->square != q->square)
        return p->square < q->square ? -1 : 1;
    return (p->face > q->face) - (p->face < q->face);
}

/* Whether a nearer triangle has the same point: then the sphere touches that one, and this one only at the common
 * edge. */
static bool is_on_nearer(const pcm_lammps_surface *s, size_t i)
{
    const double *point = s->found[i].point;
    double        there[3];
    for (size_t k = 0; k < i; k++)
        if (nearest(s->corner[s->found[k].face], point, there) <= s->same * s->same)
            return true;
    return false;
}

static void describe(const pcm_lammps_surface *s, const candidate *c, const double centre[3], pcm_lammps_spot *spot)
{
    spot->face = c->face;
    spot->height = sqrt(c->square);
    minus(centre, c->point, spot->normal);
    if (c->square == 0) /* the centre lies in the surface: the triangle's normal is used */
        normal_of(s->corner[c->face], spot->normal);
    const double length = sqrt(pcm_dot(spot->normal, spot->normal));
    for (int k = 0; k < 3; k++)
        spot->normal[k] /= length;
}

int pcm_lammps_surface_near(pcm_lammps_surface *s, const double centre[3], double reach, int most,
                            pcm_lammps_spot *spots)
{
    const size_t found = find_candidates(s, centre, reach);
    int          n = 0;
    qsort(s->found, found, sizeof *s->found, by_distance);
    for (size_t i = 0; i < found && n < most; i++) {
        if (is_on_nearer(s, i))
            continue;
        describe(s, &s->found[i], centre, &spots[n++]);
    }
    return n;
}

bool pcm_lammps_surface_meet(const pcm_lammps_surface *s, int a, int b)
{
    bool meet = false;
    for (int k = 0; a >= 0 && b >= 0 && (size_t)a < s->count && (size_t)b < s->count && k < 9; k++)
        meet = meet || s->vertex[a][k / 3] == s->vertex[b][k % 3];
    return meet;
}

uint64_t pcm_lammps_surface_print(const pcm_lammps_surface *s, uint64_t print)
{
    const unsigned char *bytes = (const unsigned char *)s->corner;
    for (size_t i = 0; i < s->count * sizeof *s->corner; i++) /* FNV-1a */
        print = (print ^ bytes[i]) * 0x100000001B3u;
    return print;
}

/* ---- Construction ------------------------------------------------------------------------------------------------ */

void pcm_lammps_surface_free(pcm_lammps_surface *s)
{
    if (!s)
        return;
    free(s->corner);
    free(s->vertex);
    free(s->first);
    free(s->face);
    free(s->seen);
    free(s->found);
    free(s);
}

static int by_place(const void *a, const void *b)
{
    const double *p = *(const double *const *)a, *q = *(const double *const *)b;
    int           order = 0;
    for (int k = 0; order == 0 && k < 3; k++)
        order = (p[k] > q[k]) - (p[k] < q[k]);
    return order;
}

/* Numbers the corners; equal corners get the same number. */
static bool weld(pcm_lammps_surface *s)
{
    const double **at = malloc(3 * s->count * sizeof *at);
    int            number = 0;
    if (!at)
        return false;
    for (size_t i = 0; i < 3 * s->count; i++)
        at[i] = s->corner[i / 3][i % 3];
    qsort(at, 3 * s->count, sizeof *at, by_place);
    for (size_t i = 0; i < 3 * s->count; i++) {
        number += i > 0 && by_place(&at[i - 1], &at[i]) != 0;
        const size_t corner = (size_t)(at[i] - &s->corner[0][0][0]) / 3;
        s->vertex[corner / 3][corner % 3] = number;
    }
    free(at);
    return true;
}

static void box_of(double (*corner)[3], double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(corner[0][k], fmin(corner[1][k], corner[2][k]));
        high[k] = fmax(corner[0][k], fmax(corner[1][k], corner[2][k]));
    }
}

/* Lays out cubic cells, at most about `most` of them. */
static void lay_grid(pcm_lammps_surface *s, double most)
{
    double high[3] = {-INFINITY, -INFINITY, -INFINITY}, cells = 1;
    for (int k = 0; k < 3; k++)
        s->low[k] = INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        double from[3], to[3];
        box_of(s->corner[i], from, to);
        for (int k = 0; k < 3; k++) {
            s->low[k] = fmin(s->low[k], from[k]);
            high[k] = fmax(high[k], to[k]);
        }
    }
    s->same = 1e-9 * sqrt(square_between(high, s->low));
    for (double cell = 1e9 * s->same; cells <= most; cell *= 0.8) {
        s->cell = cell;
        cells = 1;
        for (int k = 0; k < 3; k++)
            cells *= floor((high[k] - s->low[k]) / (0.8 * cell)) + 1;
    }
    for (int k = 0; k < 3; k++)
        s->n[k] = (long)floor((high[k] - s->low[k]) / s->cell) + 1;
}

/* Counts the triangles of each cell or, with `put`, writes them, starting from the cell's end. */
static void visit(pcm_lammps_surface *s, bool put)
{
    for (size_t i = 0; i < s->count; i++) {
        double low[3], high[3];
        long   from[3], to[3];
        box_of(s->corner[i], low, high);
        if (!find_cells(s, low, high, from, to))
            continue;
        for (long z = from[2]; z <= to[2]; z++)
            for (long y = from[1]; y <= to[1]; y++)
                for (long x = from[0]; x <= to[0]; x++) {
                    size_t *end = &s->first[cell_index(s, x, y, z)];
                    if (put)
                        s->face[--*end] = (int)i;
                    else
                        ++*end;
                }
    }
}

/* Lays the grid and counts the entries of all cells; SIZE_MAX: no memory. */
static size_t count_cells(pcm_lammps_surface *s, double most)
{
    lay_grid(s, most);
    const size_t cells = (size_t)s->n[0] * (size_t)s->n[1] * (size_t)s->n[2];
    free(s->first);
    s->first = calloc(cells + 1, sizeof *s->first);
    if (!s->first)
        return SIZE_MAX;
    visit(s, false);
    for (size_t i = 1; i <= cells; i++)
        s->first[i] += s->first[i - 1];
    return s->first[cells];
}

/* Makes the cells small, so that a sphere tests few triangles; fewer and larger where the triangles are long. */
static bool fill_grid(pcm_lammps_surface *s)
{
    const size_t room = 128 * s->count + 4096;
    double       most = 16 * (double)s->count + 64;
    size_t       held = count_cells(s, most);
    for (; held != SIZE_MAX && held > room && most > 1; held = count_cells(s, most))
        most /= 4;
    s->face = held == SIZE_MAX ? NULL : malloc((held + 1) * sizeof *s->face);
    if (!s->face)
        return false;
    visit(s, true);
    return true;
}

/* Takes the triangles whose area is not zero. */
static void take(pcm_lammps_surface *s, size_t count, double (*corner)[3][3], double scale)
{
    for (size_t i = 0; i < count; i++) {
        double(*to)[3] = s->corner[s->count], normal[3];
        for (int k = 0; k < 9; k++)
            to[k / 3][k % 3] = scale * corner[i][k / 3][k % 3];
        normal_of(to, normal);
        s->count += pcm_dot(normal, normal) > 0;
    }
}

pcm_lammps_surface *pcm_lammps_surface_new(size_t count, double (*corner)[3][3], double scale)
{
    pcm_lammps_surface *s = calloc(1, sizeof *s);
    if (!s || count > INT32_MAX / 4) {
        free(s);
        return NULL;
    }
    s->corner = malloc((count + 1) * sizeof *s->corner);
    s->vertex = malloc((count + 1) * sizeof *s->vertex);
    s->seen = calloc(count + 1, sizeof *s->seen);
    s->found = malloc((count + 1) * sizeof *s->found);
    if (s->corner && s->vertex && s->seen && s->found) {
        take(s, count, corner, scale);
        if (s->count > 0 && weld(s) && fill_grid(s))
            return s;
    }
    pcm_lammps_surface_free(s);
    return NULL;
}
