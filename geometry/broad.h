/* SPDX-License-Identifier: MIT */
/* broad.h - the broad phase: a tree of boxes, kept balanced while boxes come and go. Start from all zero. */
#ifndef PCM_GEOMETRY_BROAD_H
#define PCM_GEOMETRY_BROAD_H

#include "shape.h"

typedef struct bounds {
    vec low, high;
} bounds;

typedef struct tree_node {
    bounds   box;
    uint32_t parent;   /* of a free node: the next free one */
    uint32_t child[2]; /* NO_INDEX for a leaf */
    uint32_t height;   /* 0 for a leaf */
    uint32_t item;
} tree_node;

typedef struct tree {
    tree_node *nodes;
    size_t     capacity, used;
    uint32_t   root_plus_one, free_plus_one; /* 0: none */
} tree;

static inline bool bounds_meet(const bounds *a, const bounds *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static inline bool bounds_hold(const bounds *outer, const bounds *inner)
{
    return outer->low.x <= inner->low.x && inner->high.x <= outer->high.x && outer->low.y <= inner->low.y &&
           inner->high.y <= outer->high.y && outer->low.z <= inner->low.z && inner->high.z <= outer->high.z;
}

static inline bounds bounds_grown(bounds b, double margin)
{
    const vec m = {margin, margin, margin};
    return (bounds){sub(b.low, m), add(b.high, m)};
}

/* The bounds of a geometry where it is; infinite for a plane. */
bounds bounds_of(const pcm_geometry *g, const placing *at);

/* The leaf of a new box, or NO_INDEX without memory. The box is finite. */
uint32_t tree_insert(pcm_context *context, tree *t, bounds box, uint32_t item);
void     tree_remove(tree *t, uint32_t leaf);

/* Calls found for the item of every box that meets the given one, until it returns false. */
void tree_query(const tree *t, const bounds *box, bool (*found)(void *user, uint32_t item), void *user);
void tree_free(pcm_context *context, tree *t);

#endif
