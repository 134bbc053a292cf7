/* SPDX-License-Identifier: MIT */
/* box.c - the depth of two boxes that overlap, by the separating axis theorem (Gottschalk, Lin and Manocha 1996): the
 * best of fifteen directions, normals of faces and cross products of edges. */
#include "boxes.h"

/* The cross product of edges closer to parallel than this is no candidate: rounding would decide its direction. */
#define PARALLEL 1e-14

/* The sine of the angle between two edges below which their cross product is mostly rounding error. */
#define NEARLY_PARALLEL 1e-3

static const int after[3] = {1, 2, 0}, before[3] = {2, 0, 1};

/* The half sides of both boxes, and the placing of b in a's axes. */
typedef struct box_pair {
    vec        a, b, at;
    const mat *turn; /* row i, column j: a's axis i . b's axis j */
} box_pair;

static inline vec absolute(vec a) { return (vec){fabs(a.x), fabs(a.y), fabs(a.z)}; }

/* The rows of a matrix and their absolute values: the first two entries as a pair for vector instructions, and the
 * third entry alone. */
typedef struct rows {
    two    xy[3], size_xy[3];
    double z[3], size_z[3];
} rows;

static inline void look_at(const mat *m, rows *r)
{
    for (int i = 0; i < 3; i++) {
        const vec row = m->row[i];
        r->xy[i] = (two){row.x, row.y};
        r->z[i] = row.z;
        r->size_xy[i] = two_absolute(r->xy[i]);
        r->size_z[i] = fabs(row.z);
    }
}

/* The cross products of a's edges and b's, not normalised: the separation along each, and its squared length. Edges i
 * of a and 0 of b have the index 2 i, edges i and 1 the index 2 i + 1, edges i and 2 the index 6 + i. */
enum { PRODUCTS = 9 };

typedef struct products {
    double sep[PRODUCTS], square[PRODUCTS];
} products;

static inline int edge_of_a(int k) { return k < 6 ? k / 2 : k - 6; }
static inline int edge_of_b(int k) { return k < 6 ? k % 2 : 2; }
static inline int product_along(int i, int j) { return j < 2 ? 2 * i + j : 6 + i; }

/* The cross products of edge i of a with one edge of b, or with two at once. n and l are the axes after i. */
#define MULTIPLY(type, row, size, size_of, n, l, of_b)                                                                 \
    const type towards = row[n] * at[l] - row[l] * at[n];                                                              \
    const type apart = size_of(towards) - (size[l] * a[n] + size[n] * a[l] + (of_b));                                  \
    const type square = row[n] * row[n] + row[l] * row[l];

static inline void multiply_edges(const box_pair *p, const rows *r, products *of)
{
    const double a[3] = {p->a.x, p->a.y, p->a.z}, at[3] = {p->at.x, p->at.y, p->at.z};
    const two    b_yx = {p->b.y, p->b.x};
    for (int i = 0; i < 3; i++) {
        const int n = after[i], l = before[i];
        const two yx = {r->size_xy[i][1], r->size_xy[i][0]};
        MULTIPLY(two, r->xy, r->size_xy, two_absolute, n, l, b_yx * r->size_z[i] + p->b.z * yx)
        two_to(of->sep + 2 * i, apart);
        two_to(of->square + 2 * i, square);
    }
    for (int i = 0; i < 3; i++) {
        const int n = after[i], l = before[i];
        MULTIPLY(double, r->z, r->size_z, fabs, n, l, p->b.x * r->size_xy[i][1] + p->b.y * r->size_xy[i][0])
        of->sep[6 + i] = apart;
        of->square[6 + i] = square;
    }
}

/* The unit direction of product k, which has this length. */
static vec product_of(const box_pair *p, int k, double length)
{
    const int    i = edge_of_a(k), j = edge_of_b(k), next = after[i], last = before[i];
    const double per = 1 / length;
    double       row_next[3], row_last[3], n[3];
    vec_to(row_next, p->turn->row[next]);
    vec_to(row_last, p->turn->row[last]);
    n[i] = 0;
    n[next] = -row_last[j] * per;
    n[last] = row_next[j] * per;
    return vec_of(n);
}

/* The separation along a unit vector by its definition: its rounding error depends on the sizes alone, not on the angle
 * of the edges. */
static double sep_by_definition(const box_pair *p, vec n)
{
    return fabs(dot(n, p->at)) - dot(p->a, absolute(n)) - dot(p->b, absolute(rotate_back(p->turn, n)));
}

/* The square of x with the sign of x: it orders numbers as x does, so that quotients with a root can be compared
 * without the root. */
static inline double signed_square(double x) { return x * fabs(x); }

/* Nothing here branches on the pair's values: such branches would be mispredicted. */
static inline double greatest(const double v[PRODUCTS])
{
    return larger(
        larger(larger(larger(v[0], v[1]), larger(v[2], v[3])), larger(larger(v[4], v[5]), larger(v[6], v[7]))), v[8]);
}

static inline double least(const double v[PRODUCTS])
{
    return smaller(
        smaller(smaller(smaller(v[0], v[1]), smaller(v[2], v[3])), smaller(smaller(v[4], v[5]), smaller(v[6], v[7]))),
        v[8]);
}

/* A bit for each value that is at least `enough`. */
static inline unsigned all_above(const double v[], int n, double enough)
{
    unsigned above = 0;
    for (int k = 0; k < n; k++)
        above |= (unsigned)(v[k] >= enough) << k;
    return above;
}

/* The index of the first of n bits that is set; n - 1 where none is, which happens where values are NaN. */
static inline int first_bit(unsigned bits, int n) { return __builtin_ctz(bits | 1u << (n - 1)); }

/* Whether no cross product gives a separation whose signed square exceeds `enough`; needs no division. */
static inline bool is_optimal(const products *of, double enough)
{
    double over[PRODUCTS];
    for (int k = 0; k < 8; k += 2) {
        const two sep = two_of(of->sep + k);
        two_to(over + k, sep * two_absolute(sep) - enough * two_of(of->square + k));
    }
    over[8] = signed_square(of->sep[8]) - enough * of->square[8];
    return least(of->square) >= NEARLY_PARALLEL * NEARLY_PARALLEL && !(greatest(over) > 0);
}

/* The signed squares of the separations along all cross products. */
static inline void square_all(const box_pair *p, const products *of, double squares[PRODUCTS])
{
    for (int k = 0; k < 8; k += 2) {
        const two sep = two_of(of->sep + k);
        two_to(squares + k, sep * two_absolute(sep) / two_of(of->square + k));
    }
    squares[8] = signed_square(of->sep[8]) / of->square[8];
    for (int k = 0; k < PRODUCTS; k++) {
        if (of->square[k] < NEARLY_PARALLEL * NEARLY_PARALLEL) {
            const double length = sqrt(of->square[k]);
            squares[k] = length > PARALLEL ? signed_square(sep_by_definition(p, product_of(p, k, length))) : -INFINITY;
        }
    }
}

/* The first of the cross products that are as good as the best within rounding. For an overlap their depth is below
 * that of the faces, which bounds the rounding error, so no root is needed. */
static inline int first_of(const double squares[PRODUCTS], double most, double rounding, double of_faces)
{
    const unsigned near = all_above(squares, PRODUCTS, most + rounding * (2 * of_faces - rounding));
    if (most <= 0 && (near & (near - 1)) == 0)
        return first_bit(near, PRODUCTS);
    const double root = copysign(sqrt(fabs(most)), most);
    return first_bit(all_above(squares, PRODUCTS, signed_square(root - rounding)), PRODUCTS);
}

/* Replaces the best face, with *sep along *n, if a cross product of edges is better. Among candidates within `rounding`
 * of each other the first is taken, and faces come first, since they describe the patch better. */
static inline void try_edges(const box_pair *p, const rows *r, double rounding, double *sep, vec *n, unsigned *way)
{
    const double enough = signed_square(*sep + rounding);
    products     of;
    double       squares[PRODUCTS];
    multiply_edges(p, r, &of);
    if (is_optimal(&of, enough))
        return;
    square_all(p, &of, squares);
    const double most = greatest(squares);
    if (!(most > enough))
        return;
    const int at = first_of(squares, most, rounding, *sep);
    *n = product_of(p, at, sqrt(of.square[at]));
    *way = boxes_edges(edge_of_a(at), edge_of_b(at));
    *sep = copysign(sqrt(fabs(squares[at])), squares[at]);
}

/* The separations along the normals of a's faces and of b's. */
static inline void try_faces(const box_pair *p, const rows *r, double sep[6])
{
    const vec    at = p->at;
    const two    b_xy = {p->b.x, p->b.y};
    const two    along_b = r->xy[0] * at.x + r->xy[1] * at.y + r->xy[2] * at.z;
    const two    reach_a = r->size_xy[0] * p->a.x + r->size_xy[1] * p->a.y + r->size_xy[2] * p->a.z;
    const two    over_b = two_absolute(along_b) - b_xy - reach_a;
    const double z_along = r->z[0] * at.x + r->z[1] * at.y + r->z[2] * at.z;
    const double z_reach = r->size_z[0] * p->a.x + r->size_z[1] * p->a.y + r->size_z[2] * p->a.z;
    const two    of_a[3] = {r->size_xy[0] * b_xy, r->size_xy[1] * b_xy, r->size_xy[2] * b_xy};
    sep[0] = fabs(at.x) - p->a.x - (of_a[0][0] + of_a[0][1] + r->size_z[0] * p->b.z);
    sep[1] = fabs(at.y) - p->a.y - (of_a[1][0] + of_a[1][1] + r->size_z[1] * p->b.z);
    sep[2] = fabs(at.z) - p->a.z - (of_a[2][0] + of_a[2][1] + r->size_z[2] * p->b.z);
    sep[3] = over_b[0];
    sep[4] = over_b[1];
    sep[5] = fabs(z_along) - p->b.z - z_reach;
}

static inline double greatest_of_faces(const double sep[6])
{
    return larger(larger(larger(sep[0], sep[1]), larger(sep[2], sep[3])), larger(sep[4], sep[5]));
}

bool boxes_separate(const convex_pair *pair, convex_result *result, unsigned *way)
{
    const vec *m = pair->b_in_a.turn.row, at = pair->b_in_a.at;
    /* The corners of greatest coordinates are the half sides. */
    const box_pair p = {pair->a->high, pair->b->high, at, &pair->b_in_a.turn};
    rows           r;
    double         sep[6];
    look_at(p.turn, &r);
    const vec axes[6] = {
        {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {m[0].x, m[1].x, m[2].x}, {m[0].y, m[1].y, m[2].y}, {m[0].z, m[1].z, m[2].z}};
    try_faces(&p, &r, sep);
    double    best = greatest_of_faces(sep);
    const int first = first_bit(all_above(sep, 6, best), 6);
    vec       n = axes[first];
    *way = BOXES_FACES_OF_A + (unsigned)first;
    if (best <= 0)
        try_edges(&p, &r, pair->rounding, &best, &n, way);
    *result = (convex_result){.sep = best, .low = best, .high = best};
    result->normal = dot(n, at) < 0 ? negate(n) : n;
    return best <= 0 || best > pair->reach;
}

bool convex_boxes(const convex_pair *pair, convex_result *result)
{
    unsigned way;
    return boxes_separate(pair, result, &way);
}

bool boxes_none_better(const body *a, const body *b, unsigned way, double sep)
{
    const placing  b_in_a = placing_relative(&a->at, &b->at);
    const box_pair p = {a->geometry->high, b->geometry->high, b_in_a.at, &b_in_a.turn};
    const double   worse = sep - ROUNDING * convex_extent(a->geometry, b->geometry, p.at);
    products       of;
    rows           r;
    double         faces[6];
    look_at(p.turn, &r);
    try_faces(&p, &r, faces);
    multiply_edges(&p, &r, &of);
    if (boxes_are_faces(way))
        faces[way - BOXES_FACES_OF_A] = -INFINITY;
    else
        of.sep[product_along(boxes_edge_of_a(way), boxes_edge_of_b(way))] = -INFINITY;
    return worse <= 0 && greatest_of_faces(faces) < worse && is_optimal(&of, signed_square(worse));
}
