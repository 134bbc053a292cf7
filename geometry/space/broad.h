/* SPDX-License-Identifier: MIT */
/* broad.h - the broad phase: a hierarchical grid (Ericson 2004, section 7.2). Boxes of similar size share a level,
 * whose cells are as large as its largest box, so a box can only meet others of its level in its own cell and the 26
 * around it. The grid repeats periodically: cells a whole number of periods apart share a place, which costs time but
 * loses no pair, so bodies may be anywhere. An empty structure is all zero. */
#ifndef PCM_GEOMETRY_BROAD_H
#define PCM_GEOMETRY_BROAD_H

#include "bounds.h"

/* Bounds in single precision, rounded outwards. */
typedef struct slim_box {
    float    low[3], high[3];
    uint32_t item;
    uint32_t class; /* class of its size, as in slim_box_of */
} slim_box;

enum { SIZE_CLASSES = 128 };

typedef struct cell_level {
    double   cell, per_cell; /* m and 1/m */
    size_t   first;          /* index in starts of the place of cell 0, 0, 0 */
    uint32_t mask[3];        /* the period along each axis, a power of two, minus one */
    uint32_t shift[3];
} cell_level;

typedef struct cells {
    slim_box  *boxes; /* in the order in which they were put */
    size_t     count, capacity;
    slim_box  *sorted; /* by level, then by place */
    size_t     sorted_capacity, n_sorted;
    uint32_t  *places; /* the place of each box */
    size_t     place_capacity;
    uint32_t  *starts; /* where each place starts in sorted, and the end of the last */
    size_t     start_capacity;
    cell_level levels[SIZE_CLASSES];
    uint32_t   n_levels;
    uint32_t   level_of[SIZE_CLASSES];
} cells;

/* Compares all six bounds without branches, which would be mispredicted. */
static inline bool slim_meet(const slim_box *a, const slim_box *b)
{
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

slim_box slim_box_of(const bounds *b, double size, uint32_t item);

/* Adds a box to sort; false: out of memory. cells_clear removes all of them. */
bool cells_put(pcm_context *context, cells *c, const slim_box *box);
void cells_clear(cells *c);

/* Sorts the boxes; false: out of memory, and then the cells are empty. */
bool cells_sort(pcm_context *context, cells *c);

typedef void cells_found(void *user, uint32_t item, uint32_t other);

/* Calls found for every pair of boxes that meet and whose first box is one of sorted[first] to sorted[end - 1]; over
 * all of sorted, once for each pair. */
void cells_pairs(const cells *c, size_t first, size_t end, cells_found *found, void *user);

/* Calls found for every box that meets the given one, which may itself be among them. */
void cells_query(const cells *c, const slim_box *box, cells_found *found, void *user);

void cells_free(pcm_context *context, cells *c);

#endif
