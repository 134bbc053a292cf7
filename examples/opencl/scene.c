/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double radius = 5e-3, density = 2500, spacing = 1.1e-2, near_enough = 2e-3, pi = 3.141592653589793;
enum { SIDE = 20 }; /* spheres along an edge of the floor */

/* The next number of a repeatable sequence in [-1, 1). */
static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1p-63;
}

static grain wall(double x, double y, double z, double nx, double ny, double nz)
{
    const grain plane = {.position = {x, y, z}, .normal = {nx, ny, nz}};
    return plane;
}

int scene_open(scene *s, size_t spheres)
{
    const double width = SIDE * spacing;
    uint64_t     seed = 1;
    *s = (scene){.count = WALLS + spheres, .grains = calloc(WALLS + spheres, sizeof(grain))};
    if (!s->grains)
        return 0;
    s->grains[0] = wall(0, 0, 0, 0, 0, 1);
    s->grains[1] = wall(0, 0, 0, 1, 0, 0);
    s->grains[2] = wall(width, 0, 0, -1, 0, 0);
    s->grains[3] = wall(0, 0, 0, 0, 1, 0);
    s->grains[4] = wall(0, width, 0, 0, -1, 0);
    for (size_t i = 0; i < spheres; i++) {
        grain       *g = &s->grains[WALLS + i];
        const size_t column = i % SIDE, line = i / SIDE % SIDE, layer = i / (SIDE * SIDE);
        *g = (grain){.curvature = 1 / radius, .inverse_mass = 3 / (4 * pi * radius * radius * radius * density)};
        g->position.x = spacing * ((double)column + 0.5) + 4e-4 * noise(&seed);
        g->position.y = spacing * ((double)line + 0.5) + 4e-4 * noise(&seed);
        g->position.z = spacing * ((double)layer + 0.6) + 4e-4 * noise(&seed);
        g->velocity = (vector){0.3 * noise(&seed), 0.3 * noise(&seed), -1.5};
    }
    return scene_find_rows(s);
}

void scene_close(scene *s)
{
    free(s->grains);
    free(s->rows);
    free(s->first);
    free(s->sides);
    *s = (scene){0};
}

/* ---- Cells ---------------------------------------------------------------------------------------------------------
 */

/* Spheres by cells of a sphere's reach: a list for each place of a table. */
typedef struct cells {
    size_t     places;
    grain_int *head, *next; /* -1: the end */
} cells;

static int64_t cell_along(double x) { return (int64_t)floor(x / (2 * radius + near_enough)); }

static size_t place_of(const cells *c, int64_t x, int64_t y, int64_t z)
{
    return ((uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^ (uint64_t)z * 83492791u) % c->places;
}

static int cells_open(cells *c, const scene *s)
{
    c->places = 2 * s->count;
    c->head = malloc(c->places * sizeof *c->head);
    c->next = malloc(s->count * sizeof *c->next);
    if (!c->head || !c->next)
        return 0;
    for (size_t k = 0; k < c->places; k++)
        c->head[k] = -1;
    for (size_t i = WALLS; i < s->count; i++) {
        const vector p = s->grains[i].position;
        const size_t place = place_of(c, cell_along(p.x), cell_along(p.y), cell_along(p.z));
        c->next[i] = c->head[place];
        c->head[place] = (grain_int)i;
    }
    return 1;
}

/* ---- Rows ----------------------------------------------------------------------------------------------------------
 */

typedef struct row_list {
    row   *rows;
    size_t count, capacity;
} row_list;

static int add_row(row_list *list, const scene *s, size_t base, size_t follower)
{
    if (gap_of(s->grains[base], s->grains[follower]) > near_enough)
        return 1;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 1024;
        row *more = realloc(list->rows, list->capacity * sizeof *more);
        if (!more)
            return 0;
        list->rows = more;
    }
    list->rows[list->count++] = (row){.base = (grain_int)base, .follower = (grain_int)follower};
    return 1;
}

/* Rows of a sphere with those of higher numbers in the cells around it. Two of these may share a place in the table. */
static int add_neighbours(row_list *list, const scene *s, const cells *c, size_t i)
{
    const vector  p = s->grains[i].position;
    const int64_t x = cell_along(p.x), y = cell_along(p.y), z = cell_along(p.z);
    int           fits = 1;
    for (int k = 0; k < 27; k++) {
        const int64_t cx = x + k % 3 - 1, cy = y + k / 3 % 3 - 1, cz = z + k / 9 - 1;
        for (grain_int j = c->head[place_of(c, cx, cy, cz)]; j >= 0 && fits; j = c->next[j]) {
            const vector q = s->grains[j].position;
            if (j > (grain_int)i && cell_along(q.x) == cx && cell_along(q.y) == cy && cell_along(q.z) == cz)
                fits = add_row(list, s, i, (size_t)j);
        }
    }
    return fits;
}

static int by_grains(const void *a, const void *b)
{
    const row *r = a, *q = b;
    return r->base != q->base ? (r->base > q->base) - (r->base < q->base)
                              : (r->follower > q->follower) - (r->follower < q->follower);
}

/* What the contacts of the old rows remember. */
static void keep_memory(const scene *s, row_list *list)
{
    size_t old = 0;
    for (size_t i = 0; i < list->count; i++) {
        while (old < s->n_rows && by_grains(&s->rows[old], &list->rows[i]) < 0)
            old++;
        if (old < s->n_rows && by_grains(&s->rows[old], &list->rows[i]) == 0)
            list->rows[i] = s->rows[old];
    }
}

/* The rows of each grain, in order. */
static int list_sides(scene *s)
{
    grain_int *first = calloc(s->count + 1, sizeof *first), *at = calloc(s->count + 1, sizeof *at);
    grain_int *sides = malloc((2 * s->n_rows + 1) * sizeof *sides);
    if (first && at && sides) {
        for (size_t i = 0; i < s->n_rows; i++)
            first[s->rows[i].base + 1]++, first[s->rows[i].follower + 1]++;
        for (size_t i = 0; i < s->count; i++)
            first[i + 1] += first[i];
        memcpy(at, first, s->count * sizeof *at);
        for (size_t i = 0; i < s->n_rows; i++) {
            sides[at[s->rows[i].base]++] = 2 * (grain_int)i;
            sides[at[s->rows[i].follower]++] = 2 * (grain_int)i + 1;
        }
    }
    free(at);
    free(s->first);
    free(s->sides);
    s->first = first;
    s->sides = sides;
    return first && sides;
}

int scene_find_rows(scene *s)
{
    row_list list = {0};
    cells    c = {0};
    int      fits = cells_open(&c, s);
    for (size_t i = WALLS; i < s->count && fits; i++) {
        for (size_t k = 0; k < WALLS && fits; k++)
            fits = add_row(&list, s, k, i);
        fits = fits && add_neighbours(&list, s, &c, i);
    }
    free(c.head);
    free(c.next);
    if (list.rows)
        qsort(list.rows, list.count, sizeof *list.rows, by_grains);
    keep_memory(s, &list);
    free(s->rows);
    s->rows = list.rows;
    s->n_rows = list.count;
    return fits && list_sides(s);
}
