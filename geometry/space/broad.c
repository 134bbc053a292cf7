/* SPDX-License-Identifier: MIT */
/* broad.c - the broad phase: boxes sorted by cell. Cells that are neighbours along x are one run of the sorted boxes,
 * so a query searches nine runs, and a search of all pairs half of them. */
#include "broad.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* The last cell from the origin. It holds everything farther out, where rounding could choose the wrong cell. */
#define FARTHEST 0x1p40

/* The size of a cell relative to the largest box: large enough that rounding within FARTHEST cells does not matter. */
#define ROOMY (1 + 0x1p-10)

/* Periods are powers of two: at least four, so that three neighbours along an axis have different places, and limited,
 * so that a level has few places. */
enum { PERIOD_LOG_MIN = 2, PERIOD_LOG_MAX = 20 };

/* ---- Boxes ------------------------------------------------------------------------------------------------------- */

static float outwards(double x, double side)
{
    const double out = x + side * (fabs(x) * 0x1p-23 + 1e-40);
    return (float)larger(smaller(out, FLT_MAX), -FLT_MAX);
}

slim_box slim_box_of(const bounds *b, double size, uint32_t item)
{
    const int exponent = size > 0 ? ilogb(size) + SIZE_CLASSES / 2 : 0;
    return (slim_box){{outwards(b->low.x, -1), outwards(b->low.y, -1), outwards(b->low.z, -1)},
                      {outwards(b->high.x, 1), outwards(b->high.y, 1), outwards(b->high.z, 1)},
                      item,
                      (uint32_t)(exponent < 0              ? 0
                                 : exponent < SIZE_CLASSES ? exponent
                                                           : SIZE_CLASSES - 1)};
}

static double slim_middle(const slim_box *b, int k) { return 0.5 * ((double)b->low[k] + (double)b->high[k]); }

/* ---- Cells ------------------------------------------------------------------------------------------------------- */

/* The cell of a coordinate along an axis. */
static int64_t cell_at(const cell_level *level, double x)
{
    const double  q = larger(smaller(x * level->per_cell, FARTHEST), -FARTHEST);
    const int64_t toward_zero = (int64_t)q;
    return toward_zero - (q < (double)toward_zero);
}

static size_t place_of(const cell_level *level, int64_t x, int64_t y, int64_t z)
{
    return level->first + (((size_t)z & level->mask[2]) << level->shift[2]) +
           (((size_t)y & level->mask[1]) << level->shift[1]) + ((size_t)x & level->mask[0]);
}

/* Statistics of the boxes of one class, before they are sorted. */
typedef struct census {
    size_t count;
    double extent, low[3], high[3];
} census;

static void count_boxes(const cells *c, census *of)
{
    for (size_t i = 0; i < c->count; i++) {
        const slim_box *b = &c->boxes[i];
        census         *s = &of[b->class];
        if (s->count++ == 0)
            *s = (census){1, 0, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (int k = 0; k < 3; k++) {
            s->extent = larger(s->extent, (double)b->high[k] - (double)b->low[k]);
            s->low[k] = smaller(s->low[k], slim_middle(b, k));
            s->high[k] = larger(s->high[k], slim_middle(b, k));
        }
    }
}

/* Sets up the cells of a class: the periods cover all boxes, but with no more than a few places for each box. */
static size_t set_level(cell_level *level, const census *s, size_t first)
{
    uint32_t log[3];
    level->cell = larger(s->extent * ROOMY, 1e-30);
    level->per_cell = 1 / level->cell;
    level->first = first;
    size_t places = 1;
    for (int k = 0; k < 3; k++) {
        const double span = (s->high[k] - s->low[k]) * level->per_cell + 1;
        for (log[k] = PERIOD_LOG_MIN; log[k] < PERIOD_LOG_MAX && (double)(1u << log[k]) < span; log[k]++) {
        }
        places <<= log[k];
    }
    while (places > (size_t)1 << 3 * PERIOD_LOG_MIN && places > 4 * s->count) {
        const int widest = log[0] >= log[1] && log[0] >= log[2] ? 0 : log[1] >= log[2] ? 1 : 2;
        log[widest]--;
        places >>= 1;
    }
    for (int k = 0; k < 3; k++)
        level->mask[k] = (1u << log[k]) - 1;
    level->shift[0] = 0;
    level->shift[1] = log[0];
    level->shift[2] = log[0] + log[1];
    return first + places;
}

static void set_levels(cells *c, size_t *places)
{
    census of[SIZE_CLASSES] = {0};
    count_boxes(c, of);
    c->n_levels = 0;
    *places = 0;
    for (uint32_t i = 0; i < SIZE_CLASSES; i++) {
        if (of[i].count == 0)
            continue;
        c->level_of[i] = c->n_levels;
        *places = set_level(&c->levels[c->n_levels++], &of[i], *places);
    }
}

bool cells_put(pcm_context *context, cells *c, const slim_box *box)
{
    if (!geometry_grow(context, &c->boxes, sizeof *c->boxes, &c->capacity, c->count + 1))
        return false;
    c->boxes[c->count++] = *box;
    return true;
}

void cells_clear(cells *c)
{
    c->count = c->n_sorted = 0;
    c->n_levels = 0;
}

bool cells_sort(pcm_context *context, cells *c)
{
    size_t places;
    c->n_sorted = 0;
    set_levels(c, &places);
    if (!geometry_grow(context, &c->sorted, sizeof *c->sorted, &c->sorted_capacity, c->count) ||
        !geometry_grow(context, &c->places, sizeof *c->places, &c->place_capacity, c->count) ||
        !geometry_grow(context, &c->starts, sizeof *c->starts, &c->start_capacity, places + 1)) {
        cells_clear(c);
        return false;
    }
    memset(c->starts, 0, (places + 1) * sizeof *c->starts);
    for (size_t i = 0; i < c->count; i++) {
        const slim_box   *b = &c->boxes[i];
        const cell_level *level = &c->levels[c->level_of[b->class]];
        c->places[i] = (uint32_t)place_of(level, cell_at(level, slim_middle(b, 0)), cell_at(level, slim_middle(b, 1)),
                                          cell_at(level, slim_middle(b, 2)));
        c->starts[c->places[i]]++;
    }
    /* Computes the ends of the places; filling the places from behind turns these into starts. */
    for (size_t k = 1; k <= places; k++)
        c->starts[k] += c->starts[k - 1];
    for (size_t i = c->count; i-- > 0;)
        c->sorted[--c->starts[c->places[i]]] = c->boxes[i];
    c->n_sorted = c->count;
    return true;
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

typedef struct asking {
    const cells    *cells;
    const slim_box *box;
    cells_found    *found;
    void           *user;
} asking;

static void ask_run(const asking *q, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (slim_meet(q->box, &q->cells->sorted[i]))
            q->found(q->user, q->box->item, q->cells->sorted[i].item);
}

/* Tests the cells `from` to `to` of one row along x: fewer than its period, or the whole row. */
static void ask_row(const asking *q, const cell_level *level, size_t row, int64_t from, int64_t to)
{
    const uint32_t *starts = q->cells->starts + row;
    const size_t    period = (size_t)level->mask[0] + 1, at = (size_t)from & level->mask[0];
    const size_t    end = at + (size_t)(to - from) + 1;
    ask_run(q, starts[at], starts[end < period ? end : period]);
    if (end > period)
        ask_run(q, starts[0], starts[end - period]);
}

/* Tests all cells of a level whose boxes may meet this one. */
static void ask_level(const asking *q, const cell_level *level)
{
    int64_t      from[3], to[3];
    const double half = 0.5 * level->cell;
    for (int k = 0; k < 3; k++) {
        from[k] = cell_at(level, (double)q->box->low[k] - half);
        to[k] = cell_at(level, (double)q->box->high[k] + half);
        if (to[k] - from[k] >= (int64_t)level->mask[k]) {
            from[k] = 0;
            to[k] = level->mask[k];
        }
    }
    for (int64_t z = from[2]; z <= to[2]; z++)
        for (int64_t y = from[1]; y <= to[1]; y++)
            ask_row(q, level, place_of(level, 0, y, z), from[0], to[0]);
}

/* Tests the boxes after sorted[at] in its own row and in half of the rows around: boxes in the other half test this
 * one. */
static void ask_neighbours(const asking *q, const cell_level *level, size_t at)
{
    static const int behind[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    const int64_t    x = cell_at(level, slim_middle(q->box, 0)), y = cell_at(level, slim_middle(q->box, 1)),
                  z = cell_at(level, slim_middle(q->box, 2));
    ask_run(q, at + 1, q->cells->starts[place_of(level, x, y, z) + 1]);
    ask_row(q, level, place_of(level, 0, y, z), x + 1, x + 1);
    for (int k = 0; k < 4; k++)
        ask_row(q, level, place_of(level, 0, y + behind[k][0], z + behind[k][1]), x - 1, x + 1);
}

void cells_pairs(const cells *c, size_t first, size_t end, cells_found *found, void *user)
{
    for (size_t i = first; i < end; i++) {
        const asking   q = {c, &c->sorted[i], found, user};
        const uint32_t own = c->level_of[c->sorted[i].class];
        ask_neighbours(&q, &c->levels[own], i);
        for (uint32_t k = own + 1; k < c->n_levels; k++)
            ask_level(&q, &c->levels[k]);
    }
}

void cells_query(const cells *c, const slim_box *box, cells_found *found, void *user)
{
    const asking q = {c, box, found, user};
    for (uint32_t k = 0; k < c->n_levels; k++)
        ask_level(&q, &c->levels[k]);
}

void cells_free(pcm_context *context, cells *c)
{
    pcm_free(context, c->boxes, c->capacity * sizeof *c->boxes);
    pcm_free(context, c->sorted, c->sorted_capacity * sizeof *c->sorted);
    pcm_free(context, c->places, c->place_capacity * sizeof *c->places);
    pcm_free(context, c->starts, c->start_capacity * sizeof *c->starts);
    *c = (cells){0};
}
