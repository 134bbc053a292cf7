/* SPDX-License-Identifier: MIT */
#include "stacked.h"

#include <math.h>
#include <stdlib.h>

#include "lively.h"

enum { UP = 2 };

bool stacked_start(stacked *s, const mjModel *model, const mjData *data)
{
    double       *up = s->axes + 3 * UP, turn[4];
    const double  z[3] = {0, 0, 1};
    const double *gravity = model->opt.gravity;
    *s = (stacked){.model = model, .data = data, .ground = INFINITY};
    mju_scl3(up, gravity, -1);
    if (mju_normalize3(up) < mjMINVAL)
        mju_copy3(up, z);
    mju_quatZ2Vec(turn, up);
    for (int i = 0; i < UP; i++) {
        const double axis[3] = {i == 0, i == 1, 0};
        mju_rotVecQuat(s->axes + 3 * i, axis, turn);
    }
    s->trees = calloc((size_t)model->nbody, sizeof *s->trees);
    for (int i = 0; s->trees && i < model->nbody; i++)
        for (int k = 0; k < 3; k++) {
            s->trees[i].low[k] = INFINITY;
            s->trees[i].high[k] = -INFINITY;
        }
    return s->trees;
}

void stacked_free(stacked *s) { free(s->trees); }

void stacked_geom(stacked *s, int geom, bool fixed)
{
    const int     type = s->model->geom_type[geom];
    const bool    is_ground = type == mjGEOM_PLANE || type == mjGEOM_HFIELD;
    stacked_tree *tree = &s->trees[s->model->body_rootid[s->model->geom_bodyid[geom]]];
    tree->moves |= !fixed;
    for (int k = 0; k < 3; k++) {
        const double *axis = s->axes + 3 * k;
        const double  reach = is_ground ? 0 : lively_reach(s->model, s->data, geom, axis);
        const double  middle = mju_dot3(axis, s->data->geom_xpos + 3 * geom);
        if (!fixed) {
            tree->low[k] = fmin(tree->low[k], middle - reach);
            tree->high[k] = fmax(tree->high[k], middle + reach);
        } else if (k == UP) {
            s->ground = fmin(s->ground, middle + reach);
        }
    }
}

static bool falls(const mjModel *model, int root)
{
    for (int i = 0; i < model->body_jntnum[root]; i++) {
        const int type = model->jnt_type[model->body_jntadr[root] + i];
        if (type == mjJNT_FREE || type == mjJNT_SLIDE)
            return true;
    }
    return false;
}

static bool is_above(const stacked_tree *high, const stacked_tree *low)
{
    for (int k = 0; k < UP; k++)
        if (high->low[k] >= low->high[k] || low->low[k] >= high->high[k])
            return false;
    return high->low[UP] + high->high[UP] > low->low[UP] + low->high[UP];
}

/* Finds the mass that a tree carries, and its distance from the ground or from the trees below it. */
static void find(stacked *s, int root)
{
    stacked_tree *tree = &s->trees[root];
    double        room = tree->low[UP] - s->ground;
    tree->load = s->model->body_subtreemass[root];
    for (int i = 1; i < s->model->nbody; i++) {
        const stacked_tree *other = &s->trees[i];
        if (i == root || !other->moves)
            continue;
        tree->load += is_above(other, tree) ? s->model->body_subtreemass[i] : 0;
        room -= is_above(tree, other) ? other->high[UP] - other->low[UP] : 0;
    }
    tree->fall = falls(s->model, root) && isfinite(room) ? fmax(room, 0) : 0;
}

void stacked_find(stacked *s)
{
    for (int i = 1; i < s->model->nbody; i++)
        if (s->trees[i].moves)
            find(s, i);
}
