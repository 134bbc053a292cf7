/* SPDX-License-Identifier: MIT */
/* box.c - two boxes that overlap, by the fifteen directions that can be the best: normals of faces, and products of
 * edges. */
#include "convex.h"

/* Edges closer to parallel than this make no face of the difference that rounding would not decide. */
#define PARALLEL 1e-14

/* Below this sine of their angle a product of edges is divided by a length that rounding has a part in. */
#define NEARLY_PARALLEL 1e-3

static inline vec absolute(vec a) { return (vec){fabs(a.x), fabs(a.y), fabs(a.z)}; }
static inline vec times(vec a, vec b) { return (vec){a.x * b.x, a.y * b.y, a.z * b.z}; }

/* Half sides, and where b is in a's axes. */
typedef struct box_pair {
    vec a, b, at;
    mat turn, size; /* row i, place j: a's axis i . b's axis j, and its size */
} box_pair;

/* The products of a's edge i and b's edges, not divided by their lengths: the separation along each, and the squares of
 * the lengths. */
typedef struct products {
    double sep[9], square[9];
} products;

/* Of edge 0, or of another if all that goes by a's axes is given from that on. */
static inline void multiply(vec row[3], vec size[3], vec a, vec at, vec b, double sep[3], double square[3])
{
    const vec of_b = {b.y * size[0].z + b.z * size[0].y, b.z * size[0].x + b.x * size[0].z,
                      b.x * size[0].y + b.y * size[0].x};
    const vec reach = add(add(scale(size[2], a.y), scale(size[1], a.z)), of_b);
    const vec towards = sub(scale(row[1], at.z), scale(row[2], at.y));
    vec_to(sep, sub(absolute(towards), reach));
    vec_to(square, add(times(row[1], row[1]), times(row[2], row[2])));
}

static void multiply_edges(const box_pair *p, products *of)
{
    const vec *r = p->turn.row, *s = p->size.row, a = p->a, t = p->at;
    multiply((vec[]){r[0], r[1], r[2]}, (vec[]){s[0], s[1], s[2]}, a, t, p->b, of->sep, of->square);
    multiply((vec[]){r[1], r[2], r[0]}, (vec[]){s[1], s[2], s[0]}, (vec){a.y, a.z, a.x}, (vec){t.y, t.z, t.x}, p->b,
             of->sep + 3, of->square + 3);
    multiply((vec[]){r[2], r[0], r[1]}, (vec[]){s[2], s[0], s[1]}, (vec){a.z, a.x, a.y}, (vec){t.z, t.x, t.y}, p->b,
             of->sep + 6, of->square + 6);
}

static vec column(const mat *m, int j)
{
    const vec *r = m->row;
    return j == 0   ? (vec){r[0].x, r[1].x, r[2].x}
           : j == 1 ? (vec){r[0].y, r[1].y, r[2].y}
                    : (vec){r[0].z, r[1].z, r[2].z};
}

static vec unit_along(int k) { return (vec){k == 0, k == 1, k == 2}; }

static vec product_of(const box_pair *p, int k, double length)
{
    return scale(cross(unit_along(k / 3), column(&p->turn, k % 3)), 1 / length);
}

/* The separation along a unit vector by the definition: the rounding is that of the sizes, whatever the edges are. */
static double sep_by_definition(const box_pair *p, vec n)
{
    return fabs(dot(n, p->at)) - dot(p->a, absolute(n)) - dot(p->b, absolute(rotate_back(&p->turn, n)));
}

/* Greater where x is greater; of a quotient it needs no root. */
static inline double signed_square(double x) { return x * fabs(x); }

/* The signed squares of the separations along all products, and the greatest. */
static double square_all(const box_pair *p, const products *of, double squares[9])
{
    double most = -INFINITY;
    for (int k = 0; k < 9; k++) {
        squares[k] = signed_square(of->sep[k]) / of->square[k];
        if (of->square[k] < NEARLY_PARALLEL * NEARLY_PARALLEL) {
            const double length = sqrt(of->square[k]);
            squares[k] = length > PARALLEL ? signed_square(sep_by_definition(p, product_of(p, k, length))) : -INFINITY;
        }
        most = larger(most, squares[k]);
    }
    return most;
}

/* Betters the best of the faces, *sep along *n, by the products of edges. Of those that are as good but
 * for `rounding` the first counts, and faces come before all: a pair of edges that is as good tells less of the patch.
 */
static void try_edges(const box_pair *p, double rounding, double *sep, vec *n)
{
    products of;
    double   squares[9];
    int      at = 0;
    multiply_edges(p, &of);
    const double most = square_all(p, &of, squares);
    if (!(most > signed_square(*sep + rounding)))
        return;
    const double enough = signed_square(copysign(sqrt(fabs(most)), most) - rounding);
    for (int k = 9; k-- > 0;)
        at = squares[k] >= enough ? k : at;
    *n = product_of(p, at, sqrt(of.square[at]));
    *sep = copysign(sqrt(fabs(squares[at])), squares[at]);
}

bool convex_boxes(const convex_pair *pair, convex_result *result)
{
    const vec *r = pair->b_in_a.turn.row, at = pair->b_in_a.at;
    /* The corners of greatest coordinates. */
    const box_pair p = {pair->a->core.corners[7],
                        pair->b->core.corners[7],
                        at,
                        pair->b_in_a.turn,
                        {{absolute(r[0]), absolute(r[1]), absolute(r[2])}}};
    double         sep[6];
    int            top = 0;
    vec_to(sep, sub(sub(absolute(at), p.a), rotate(&p.size, p.b)));
    vec_to(sep + 3, sub(sub(absolute(rotate_back(&p.turn, at)), p.b), rotate_back(&p.size, p.a)));
    for (int k = 1; k < 6; k++)
        top = sep[k] > sep[top] ? k : top;
    double best = sep[top];
    vec    n = top < 3 ? unit_along(top) : column(&p.turn, top - 3);
    if (best <= 0)
        try_edges(&p, pair->rounding, &best, &n);
    *result = (convex_result){.sep = best, .low = best, .high = best};
    result->normal = dot(n, at) < 0 ? negate(n) : n;
    return best <= 0 || best > pair->reach;
}
