/* SPDX-License-Identifier: MIT */
/* box.c - two boxes that overlap, by the fifteen directions that can be the best: normals of faces, and products of
 * edges. */
#include "convex.h"

/* Edges closer to parallel than this make no face of the difference that rounding would not decide. */
#define PARALLEL 1e-14

typedef struct box_pair {
    double a[3], b[3]; /* half sides */
    double turn[3][3]; /* [i][j]: a's axis i . b's axis j */
    double at[3];      /* of b's middle, in a's axes */
} box_pair;

static box_pair box_pair_of(const convex_pair *pair)
{
    const vec *row = pair->b_in_a.turn.row, at = pair->b_in_a.at;
    const vec  a = pair->a->core.corners[7], b = pair->b->core.corners[7]; /* the corner of greatest coordinates */
    return (box_pair){{a.x, a.y, a.z},
                      {b.x, b.y, b.z},
                      {{row[0].x, row[0].y, row[0].z}, {row[1].x, row[1].y, row[1].z}, {row[2].x, row[2].y, row[2].z}},
                      {at.x, at.y, at.z}};
}

/* The best direction so far, in a's axes, towards b or away from it. */
typedef struct best_axis {
    double sep, n[3], towards;
} best_axis;

static void try_faces_of_a(const box_pair *p, best_axis *best)
{
    for (int i = 0; i < 3; i++) {
        const double *r = p->turn[i];
        const double  reach = p->a[i] + p->b[0] * fabs(r[0]) + p->b[1] * fabs(r[1]) + p->b[2] * fabs(r[2]);
        if (fabs(p->at[i]) - reach > best->sep)
            *best = (best_axis){fabs(p->at[i]) - reach, {i == 0, i == 1, i == 2}, p->at[i]};
    }
}

static void try_faces_of_b(const box_pair *p, best_axis *best)
{
    for (int j = 0; j < 3; j++) {
        const double n[3] = {p->turn[0][j], p->turn[1][j], p->turn[2][j]};
        const double towards = p->at[0] * n[0] + p->at[1] * n[1] + p->at[2] * n[2];
        const double reach = p->b[j] + p->a[0] * fabs(n[0]) + p->a[1] * fabs(n[1]) + p->a[2] * fabs(n[2]);
        if (fabs(towards) - reach > best->sep)
            *best = (best_axis){fabs(towards) - reach, {n[0], n[1], n[2]}, towards};
    }
}

/* Below this sine of their angle a product of edges is divided by a length that rounding has a part in. */
#define NEARLY_PARALLEL 1e-3

/* The same along a unit vector by the definition: the rounding is that of the sizes, whatever the edges are. */
static void try_direction(const box_pair *p, const double n[3], double margin, best_axis *best)
{
    double reach = 0, towards = 0;
    for (int i = 0; i < 3; i++) {
        reach += p->a[i] * fabs(n[i]);
        reach += p->b[i] * fabs(n[0] * p->turn[0][i] + n[1] * p->turn[1][i] + n[2] * p->turn[2][i]);
        towards += p->at[i] * n[i];
    }
    if (fabs(towards) - reach > best->sep + margin)
        *best = (best_axis){fabs(towards) - reach, {n[0], n[1], n[2]}, towards};
}

/* The product of a's edge i and b's edge j. */
static void try_edges(const box_pair *p, int i, int j, double margin, best_axis *best)
{
    const int    i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const double u = -p->turn[i2][j], v = p->turn[i1][j], length = sqrt(u * u + v * v);
    const double towards = p->at[i1] * u + p->at[i2] * v;
    const double reach =
        p->a[i1] * fabs(u) + p->a[i2] * fabs(v) + p->b[j1] * fabs(p->turn[i][j2]) + p->b[j2] * fabs(p->turn[i][j1]);
    if (!(length > PARALLEL))
        return;
    if (length < NEARLY_PARALLEL) {
        double n[3] = {0};
        n[i1] = u / length;
        n[i2] = v / length;
        try_direction(p, n, margin, best);
        return;
    }
    if (!(fabs(towards) - reach > (best->sep + margin) * length))
        return;
    *best = (best_axis){.sep = (fabs(towards) - reach) / length, .towards = towards};
    best->n[i1] = u / length;
    best->n[i2] = v / length;
}

bool convex_boxes(const convex_pair *pair, convex_result *result)
{
    const box_pair p = box_pair_of(pair);
    best_axis      best = {.sep = -INFINITY};
    try_faces_of_a(&p, &best);
    try_faces_of_b(&p, &best);
    /* Faces come first: a pair of edges that is as good tells less of the patch. */
    for (int k = 0; k < 9 && best.sep <= 0; k++)
        try_edges(&p, k / 3, k % 3, pair->rounding, &best);
    const vec n = vec_of(best.n);
    *result = (convex_result){.sep = best.sep, .low = best.sep, .high = best.sep};
    result->normal = best.towards < 0 ? negate(n) : n;
    return best.sep <= 0 || best.sep > pair->reach;
}
