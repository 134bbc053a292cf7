/* SPDX-License-Identifier: MIT */
/* broad.c - a binary tree of boxes. A leaf goes where it enlarges the boxes on its way least; after each change the
 * branches above it are kept within one level of each other, so that a query visits few. */
#include "broad.h"

/* Balanced branches: 2^32 leaves lie no deeper than 1.44 * 32. */
#define DEPTH_MAX 64

bounds bounds_of(const pcm_geometry *g, const placing *at)
{
    if (g->kind == PCM_PLANE)
        return (bounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const vec half = scale(sub(g->high, g->low), 0.5), middle = transform(at, add(g->low, half));
    double    extent[3];
    for (int k = 0; k < 3; k++) {
        const vec row = at->turn.row[k];
        extent[k] = fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
    }
    const vec e = vec_of(extent);
    return (bounds){sub(middle, e), add(middle, e)};
}

static bounds both(const bounds *a, const bounds *b)
{
    return (bounds){{fmin(a->low.x, b->low.x), fmin(a->low.y, b->low.y), fmin(a->low.z, b->low.z)},
                    {fmax(a->high.x, b->high.x), fmax(a->high.y, b->high.y), fmax(a->high.z, b->high.z)}};
}

/* The surface of a box, up to a factor: how likely a query is to meet it. */
static double surface(const bounds *b)
{
    const vec d = sub(b->high, b->low);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static bool is_leaf(const tree_node *n) { return n->child[0] == NO_INDEX; }

static uint32_t take_node(pcm_context *context, tree *t)
{
    if (t->free_plus_one) {
        const uint32_t index = t->free_plus_one - 1;
        t->free_plus_one = t->nodes[index].parent;
        return index;
    }
    if (!geometry_grow(context, &t->nodes, sizeof *t->nodes, &t->capacity, t->used + 1))
        return NO_INDEX;
    return (uint32_t)t->used++;
}

static void give_node(tree *t, uint32_t index)
{
    t->nodes[index].parent = t->free_plus_one;
    t->free_plus_one = index + 1;
}

/* Recomputes a node from its children. */
static void refit(tree *t, uint32_t index)
{
    tree_node       *n = &t->nodes[index];
    const tree_node *a = &t->nodes[n->child[0]], *b = &t->nodes[n->child[1]];
    n->box = both(&a->box, &b->box);
    n->height = 1 + (a->height > b->height ? a->height : b->height);
}

/* Puts `by` where `index` hangs. */
static void replace(tree *t, uint32_t index, uint32_t by)
{
    const uint32_t parent = t->nodes[index].parent;
    t->nodes[by].parent = parent;
    if (parent == NO_INDEX)
        t->root_plus_one = by + 1;
    else
        t->nodes[parent].child[t->nodes[parent].child[0] == index ? 0 : 1] = by;
}

/* Where one branch is two levels higher, its root takes the place of the node, which becomes the parent of the lower
 * branch and of the higher one's lower half. Returns what now stands in the node's place. */
static uint32_t balance(tree *t, uint32_t index)
{
    tree_node     *n = &t->nodes[index];
    const uint32_t left = t->nodes[n->child[0]].height, right = t->nodes[n->child[1]].height;
    if (left <= right + 1 && right <= left + 1)
        return index;
    const int      high_side = left > right ? 0 : 1;
    const uint32_t high = n->child[high_side];
    tree_node     *h = &t->nodes[high];
    const int      low_half = t->nodes[h->child[0]].height > t->nodes[h->child[1]].height ? 1 : 0;
    const uint32_t moved = h->child[low_half];
    replace(t, index, high);
    n->child[high_side] = moved;
    t->nodes[moved].parent = index;
    h->child[low_half] = index;
    n->parent = high;
    refit(t, index);
    refit(t, high);
    return high;
}

static void mend_upwards(tree *t, uint32_t index)
{
    while (index != NO_INDEX) {
        index = balance(t, index);
        refit(t, index);
        index = t->nodes[index].parent;
    }
}

/* The node beside which a box enlarges the boxes above it least. */
static uint32_t best_sibling(const tree *t, const bounds *box)
{
    uint32_t at = t->root_plus_one - 1;
    while (!is_leaf(&t->nodes[at])) {
        const tree_node *n = &t->nodes[at];
        const bounds     whole = both(&n->box, box);
        const double     growth = surface(&whole) - surface(&n->box);
        double           cost[2];
        for (int k = 0; k < 2; k++) {
            const tree_node *c = &t->nodes[n->child[k]];
            const bounds     joined = both(&c->box, box);
            cost[k] = surface(&joined) + growth - (is_leaf(c) ? 0 : surface(&c->box));
        }
        if (surface(&whole) < cost[0] && surface(&whole) < cost[1])
            break;
        at = n->child[cost[0] <= cost[1] ? 0 : 1];
    }
    return at;
}

uint32_t tree_insert(pcm_context *context, tree *t, bounds box, uint32_t item)
{
    const uint32_t leaf = take_node(context, t);
    if (leaf == NO_INDEX)
        return NO_INDEX;
    t->nodes[leaf] = (tree_node){box, NO_INDEX, {NO_INDEX, NO_INDEX}, 0, item};
    if (t->root_plus_one == 0) {
        t->root_plus_one = leaf + 1;
        return leaf;
    }
    const uint32_t branch = take_node(context, t);
    if (branch == NO_INDEX) {
        give_node(t, leaf);
        return NO_INDEX;
    }
    const uint32_t sibling = best_sibling(t, &box);
    replace(t, sibling, branch);
    t->nodes[branch].child[0] = sibling;
    t->nodes[branch].child[1] = leaf;
    t->nodes[sibling].parent = t->nodes[leaf].parent = branch;
    mend_upwards(t, branch);
    return leaf;
}

void tree_remove(tree *t, uint32_t leaf)
{
    const uint32_t branch = t->nodes[leaf].parent;
    if (branch == NO_INDEX) {
        t->root_plus_one = 0;
    } else {
        const tree_node *n = &t->nodes[branch];
        const uint32_t   sibling = n->child[n->child[0] == leaf ? 1 : 0];
        replace(t, branch, sibling);
        give_node(t, branch);
        mend_upwards(t, t->nodes[sibling].parent);
    }
    give_node(t, leaf);
}

void tree_query(const tree *t, const bounds *box, bool (*found)(void *user, uint32_t item), void *user)
{
    uint32_t stack[DEPTH_MAX + 1], n = 0;
    if (t->root_plus_one)
        stack[n++] = t->root_plus_one - 1;
    while (n > 0) {
        const tree_node *node = &t->nodes[stack[--n]];
        if (!bounds_meet(&node->box, box))
            continue;
        if (is_leaf(node)) {
            if (!found(user, node->item))
                return;
        } else if (n + 2 <= DEPTH_MAX + 1) {
            stack[n++] = node->child[0];
            stack[n++] = node->child[1];
        }
    }
}

void tree_free(pcm_context *context, tree *t)
{
    pcm_free(context, t->nodes, t->capacity * sizeof *t->nodes);
    *t = (tree){0};
}
