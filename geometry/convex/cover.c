/* SPDX-License-Identifier: MIT */
/* cover.c - the separation of bodies with rims, by branch and bound over all directions.
 *
 * A thin body nearly along the axis of a cylinder is about as deep in all directions across that axis, and no polytope
 * has enough corners to follow the rim that closely. Here the rim's share of the separation is computed by its formula.
 * Directions are given by a turn about the rim's axis and a tilt out of its plane, and cells of turns and tilts cover
 * all of them. Over a cell, any point of the difference, without the rim, bounds the separation from above. Two support
 * points, on either side of the best tilt, bound it for smaller and for larger tilts, and a point between them bounds
 * it near the best tilt. The cell with the greatest bound is halved until no bound exceeds the separation along the
 * best direction so far. */
#include "convex.h"

#define PI        3.14159265358979323846
#define CELLS_MAX 512

/* The most steps that refine the best tilt of a cell. */
#define LOOKS_MAX 12

/* The best direction is tested for a cone after this many halvings, and again each time their number has doubled. */
#define HALVINGS_FEW  64
#define HALVINGS_MOST 8192

/* Step sizes of the local search, in rad. */
#define CLIMB_FIRST 1e-2
#define CLIMB_LAST  1e-12
#define CLIMB_MOST  200

/* Two points of the difference: with growing tilt the separation rises at one and falls at the other. */
typedef struct slopes {
    vec rising, falling;
} slopes;

typedef struct cell {
    double turn[2], tilt[2];
    slopes without[2]; /* points of the difference without the main rim, and without both rims */
    double bound;      /* the separation along every direction of the cell is at most this */
} cell;

/* A rim with its axes, in a's axes. */
typedef struct round_core {
    double rim;
    vec    axes[3]; /* the third is the rim's axis */
} round_core;

typedef struct cover {
    convex_pair  *pair;
    round_core    main, other;      /* the radius of the other rim may be 0 */
    double        across, along;    /* how far the difference without rims extends across the axis and along it */
    convex_result summit;           /* the local optimum with a cone; a cone of 0: none is known */
    cell          cells[CELLS_MAX]; /* open cells, as a heap by their bounds */
    int           n_cells, n_halved;
    double        settled; /* the greatest bound of all cells that are not open */
} cover;

/* ---- Bounds ------------------------------------------------------------------------------------------------------ */

/* The maximum of x cos t + y sin t over t in a range within [-pi/2, 2 pi]. */
static double most_of(double x, double y, const double t[2])
{
    const double peak = atan2(y, x), first = x * cos(t[0]) + y * sin(t[0]), last = x * cos(t[1]) + y * sin(t[1]);
    const bool   within = (peak >= t[0] && peak <= t[1]) || (peak + 2 * PI >= t[0] && peak + 2 * PI <= t[1]);
    return within ? hypot(x, y) : larger(first, last);
}

/* The maximum of p . n over a cell, less the rim's support value. */
static double most_beyond(const cover *c, vec p, double rim, const cell *at)
{
    const vec *axes = c->main.axes;
    return most_of(most_of(dot(p, axes[0]), dot(p, axes[1]), at->turn) - rim, dot(p, axes[2]), at->tilt);
}

/* The least support value of the other rim over a cell, from the angle between the cell's directions and that rim's
 * axis. */
static double least_share(const cover *c, const cell *at)
{
    const vec    axis = c->other.axes[2];
    const double most = larger(most_beyond(c, axis, 0, at), most_beyond(c, negate(axis), 0, at));
    return c->other.rim * sqrt(larger(1 - most * most - 1e-15, 0));
}

/* The point of a rim that is farthest along n, relative to the rim's centre. */
static vec on_rim(const round_core *core, vec n)
{
    const double x = dot(n, core->axes[0]), y = dot(n, core->axes[1]), out = sqrt(x * x + y * y);
    const double k = out > 0 ? core->rim / out : 0;
    return add(scale(core->axes[0], k * x), scale(core->axes[1], k * y));
}

/* The derivative of a point's separation by the tilt; n: the derivative of the direction. */
static double slope(const cover *c, vec p, vec n, double tilt) { return dot(n, p) + c->main.rim * sin(tilt); }

/* The separation of a point as a function of the tilt t: x cos t + y sin t. */
typedef struct wave {
    double x, y;
} wave;

static double height(wave w, double t) { return w.x * cos(t) + w.y * sin(t); }

/* The same, as the maximum over all turns of a cell. */
static wave wave_over(const cover *c, vec p, const double turn[2])
{
    const vec *axes = c->main.axes;
    return (wave){most_of(dot(p, axes[0]), dot(p, axes[1]), turn) - c->main.rim, dot(p, axes[2])};
}

/* The tilt at which two waves are equal; NaN where they never are, or always. */
static double crossing(wave v, wave w) { return atan((v.x - w.x) / (w.y - v.y)); }

/* The maximum, over a range of tilts, of the minimum of three waves. */
static double most_of_least(const wave w[3], const double tilt[2])
{
    const double tries[8] = {tilt[0],
                             tilt[1],
                             crossing(w[0], w[1]),
                             crossing(w[1], w[2]),
                             crossing(w[2], w[0]),
                             atan2(w[0].y, w[0].x),
                             atan2(w[1].y, w[1].x),
                             atan2(w[2].y, w[2].x)};
    double       most = -INFINITY;
    for (int k = 0; k < 8; k++)
        if (tries[k] >= tilt[0] && tries[k] <= tilt[1])
            most =
                larger(most, smaller(height(w[0], tries[k]), smaller(height(w[1], tries[k]), height(w[2], tries[k]))));
    return most;
}

/* Removes the ends of a range of tilts where a wave is below a level. */
static void cut(wave w, double level, double tilt[2])
{
    const bool   below[2] = {height(w, tilt[0]) < level, height(w, tilt[1]) < level};
    const double peak = atan2(w.y, w.x), away = acos(level / hypot(w.x, w.y));
    if (below[0] == below[1])
        return;
    for (int k = 0; k < 4; k++) {
        const double t = peak + (k % 2 ? away : -away) + (k < 2 ? 0 : peak > 0 ? -2 * PI : 2 * PI);
        if (t > tilt[0] && t < tilt[1])
            tilt[below[0] ? 0 : 1] = below[0] ? larger(tilt[0], t - 1e-15) : smaller(tilt[1], t + 1e-15);
    }
}

/* ---- Cells ------------------------------------------------------------------------------------------------------- */

static vec out_of(const cover *c, double turn)
{
    return add(scale(c->main.axes[0], cos(turn)), scale(c->main.axes[1], sin(turn)));
}

/* Evaluates one direction, and keeps its support points as bounds for the directions around it; returns its
 * separation. */
static double look_along(cover *c, cell *at, vec out, double tilt, convex_result *result)
{
    const vec    axis = c->main.axes[2];
    const vec    n = add(scale(out, cos(tilt)), scale(axis, sin(tilt)));
    const vec    next = add(scale(out, -sin(tilt)), scale(axis, cos(tilt)));
    const vec    w = support_of(c->pair, n).w, p = add(w, on_rim(&c->main, n)), q = add(p, on_rim(&c->other, n));
    const double sep = dot(n, w);
    if (sep > result->low) {
        result->low = sep;
        result->normal = n;
    }
    *(slope(c, p, next, tilt) > 0 ? &at->without[0].rising : &at->without[0].falling) = p;
    *(slope(c, q, next, tilt) > 0 ? &at->without[1].rising : &at->without[1].falling) = q;
    return sep;
}

/* Lowers a cell's bound by points without one rim or both, and drops the tilts whose separation cannot exceed `low`. */
static void bound(const cover *c, cell *at, const slopes *of, vec out, double tilt, double share, double low)
{
    const vec    next = add(scale(out, -sin(tilt)), scale(c->main.axes[2], cos(tilt)));
    const double up = slope(c, of->rising, next, tilt), down = slope(c, of->falling, next, tilt);
    const double part = up > 0 && down < 0 ? up / (up - down) : 0;
    const vec    between = along(of->rising, sub(of->falling, of->rising), part);
    const wave   w[3] = {wave_over(c, of->rising, at->turn), wave_over(c, of->falling, at->turn),
                         wave_over(c, between, at->turn)};
    cut(w[0], low + share, at->tilt);
    cut(w[1], low + share, at->tilt);
    at->bound = smaller(at->bound, larger(low, most_of_least(w, at->tilt) - share));
}

/* Evaluates the best tilt in the middle of a cell's turns. */
static void look(cover *c, cell *at, convex_result *result)
{
    const double  turn = 0.5 * (at->turn[0] + at->turn[1]), turns[2] = {turn, turn};
    const vec     out = out_of(c, turn);
    const slopes *of = &at->without[0];
    double        tilt = 0.5 * (at->tilt[0] + at->tilt[1]), sep = -INFINITY;
    for (int k = 0; k < LOOKS_MAX; k++) {
        const wave   up = wave_over(c, of->rising, turns), down = wave_over(c, of->falling, turns);
        const double best = crossing(up, down);
        const bool   within = best >= at->tilt[0] && best <= at->tilt[1];
        if (k > 0 && !(within && height(up, best) > larger(sep, result->low) + c->pair->rounding))
            break;
        tilt = within ? best : tilt;
        sep = look_along(c, at, out, tilt, result);
    }
    bound(c, at, &at->without[0], out, tilt, 0, result->low);
    if (c->other.rim > 0)
        bound(c, at, &at->without[1], out, tilt, least_share(c, at), result->low);
}

/* Closes a cell that lies within the cone of the local optimum: no direction in it is better. */
static void excuse(const cover *c, cell *at)
{
    if (c->summit.cone > 0 && -most_beyond(c, negate(c->summit.normal), 0, at) > cos(0.999 * c->summit.cone))
        at->bound = smaller(at->bound, c->summit.low);
}

/* Keeps a cell if its bound exceeds the separation along the best direction. */
static void put_cell(cover *c, cell at, const convex_result *result)
{
    int k = c->n_cells;
    excuse(c, &at);
    if (at.bound <= result->low + c->pair->closed) {
        c->settled = larger(c->settled, at.bound);
        return;
    }
    for (c->n_cells++; k > 0 && c->cells[(k - 1) / 2].bound < at.bound; k = (k - 1) / 2)
        c->cells[k] = c->cells[(k - 1) / 2];
    c->cells[k] = at;
}

static void add_cell(cover *c, cell at, convex_result *result)
{
    look(c, &at, result);
    put_cell(c, at, result);
}

/* Removes the cell with the greatest bound from the heap. */
static cell take_cell(cover *c)
{
    const cell first = c->cells[0], last = c->cells[--c->n_cells];
    int        k = 0;
    for (int next = 1; next < c->n_cells; next = 2 * k + 1) {
        if (next + 1 < c->n_cells && c->cells[next + 1].bound > c->cells[next].bound)
            next++;
        if (c->cells[next].bound <= last.bound)
            break;
        c->cells[k] = c->cells[next];
        k = next;
    }
    c->cells[k] = last;
    return first;
}

static void halve(cover *c, convex_result *result)
{
    const cell   at = take_cell(c);
    const double level = larger(cos(at.tilt[0]), cos(at.tilt[1])), steep = larger(-sin(at.tilt[0]), sin(at.tilt[1]));
    const double turned = (at.turn[1] - at.turn[0]) * c->across * level;
    const double tilted = (at.tilt[1] - at.tilt[0]) * (c->along * level + c->across * steep);
    cell         first = at, second = at;
    if (turned > tilted)
        first.turn[1] = second.turn[0] = 0.5 * (at.turn[0] + at.turn[1]);
    else
        first.tilt[1] = second.tilt[0] = 0.5 * (at.tilt[0] + at.tilt[1]);
    add_cell(c, first, result);
    add_cell(c, second, result);
}

/* ---- The cover --------------------------------------------------------------------------------------------------- */

static round_core round_core_of(const pcm_geometry *g, const placing *at)
{
    return (round_core){
        larger(g->rim, 0),
        {rotate(&at->turn, (vec){1, 0, 0}), rotate(&at->turn, (vec){0, 1, 0}), rotate(&at->turn, (vec){0, 0, 1})}};
}

/* The extent of the difference without rims, which makes turns and tilts comparable. */
static void measure(cover *c)
{
    const vec *axes = c->main.axes;
    c->across = c->along = c->pair->closed;
    for (int k = 0; k < 8; k++) {
        const vec    out = scale(axes[k / 4], k % 2 ? -1 : 1), n = along(out, axes[2], k / 2 % 2 ? -1 : 1);
        const vec    p = add(support_of(c->pair, n).w, add(on_rim(&c->main, n), on_rim(&c->other, n)));
        const double z = dot(p, axes[2]);
        c->across = larger(c->across, norm(across(p, axes[2])));
        c->along = larger(c->along, fabs(z));
    }
}

/* The upper bound on the separation along all directions. */
static double promised(const cover *c) { return c->n_cells > 0 ? larger(c->settled, c->cells[0].bound) : c->settled; }

/* Halves cells until no bound exceeds the best direction's separation, or until there have been HALVINGS_MAX
 * halvings. */
static bool closes(cover *c, int most, convex_result *result)
{
    const double closed = c->pair->closed;
    for (; promised(c) > result->low + closed && c->n_halved < most && c->n_cells < CELLS_MAX; c->n_halved++)
        halve(c, result);
    return promised(c) <= result->low + closed || c->n_cells == CELLS_MAX;
}

/* Improves the best direction so far, and updates the bounds of all cells. */
static void find_summit(cover *c, convex_result *result)
{
    const int n = c->n_cells;
    c->summit = *result;
    c->summit.cone = 0;
    convex_face(c->pair, &c->summit);
    if (c->summit.low > result->low) {
        result->low = c->summit.low;
        result->normal = c->summit.normal;
    }
    c->n_cells = 0;
    for (int k = 0; k < n; k++)
        put_cell(c, c->cells[k], result);
}

/* A cover about the axis of the main rim. */
static void cover_about(convex_pair *pair, const round_core *main, const round_core *other, convex_result *result)
{
    cover c;
    c.pair = pair;
    c.main = *main;
    c.other = *other;
    c.n_cells = c.n_halved = 0;
    c.settled = -INFINITY;
    c.summit.cone = 0;
    measure(&c);
    const vec side = c.main.axes[0];
    const vec p = add(support_of(pair, side).w, on_rim(&c.main, side)), q = add(p, on_rim(&c.other, side));
    for (int k = 0; k < 8; k++) {
        const double turn = 0.5 * PI * (k / 2), tilt = k % 2 ? 0 : -0.5 * PI;
        add_cell(&c, (cell){{turn, turn + 0.5 * PI}, {tilt, tilt + 0.5 * PI}, {{p, p}, {q, q}}, INFINITY}, result);
    }
    for (int most = HALVINGS_FEW; !closes(&c, most, result) && most < HALVINGS_MOST; most *= 2)
        if (!(c.summit.cone > 0))
            find_summit(&c, result);
    result->high = smaller(result->high, larger(promised(&c), result->low));
}

/* Tries the normals of caps and disks, which the middles of cells miss. */
static void try_axis(convex_pair *pair, vec axis, convex_result *result)
{
    for (int k = 0; k < 2; k++) {
        const vec    n = k ? negate(axis) : axis;
        const double sep = sep_along(pair, n);
        if (sep > result->low) {
            result->low = sep;
            result->normal = n;
        }
    }
}

/* Improves the direction where the bounds stay open, by a local search: for every step size, until it is better than
 * the eight directions around it. */
static void climb(convex_pair *pair, convex_result *result)
{
    int left = CLIMB_MOST;
    for (double step = CLIMB_FIRST; step > CLIMB_LAST && left > 0; left--) {
        const vec n = result->normal, p = scale(perpendicular(n), step), q = cross(n, p);
        bool      better = false;
        for (int k = 0; k < 8; k++) {
            static const double cosine[8] = {1, 0.7, 0, -0.7, -1, -0.7, 0, 0.7};
            const vec           m = unit_or(along(along(n, p, cosine[k]), q, cosine[(k + 6) % 8]), n);
            const double        sep = sep_along(pair, m);
            if (sep > result->low) {
                result->low = sep;
                result->normal = m;
                better = true;
            }
        }
        if (!better)
            step *= 0.5;
    }
}

void convex_cover(convex_pair *pair, convex_result *result)
{
    const placing    here = placing_identity();
    const round_core a = round_core_of(pair->a, &here), b = round_core_of(pair->b, &pair->b_in_a);
    const bool       of_b = b.rim > a.rim;
    /* The bounds so far may belong to another, equally good direction. */
    result->low = sep_along(pair, result->normal);
    try_axis(pair, a.axes[2], result);
    try_axis(pair, b.axes[2], result);
    cover_about(pair, of_b ? &b : &a, of_b ? &a : &b, result);
    if (result->high - result->low > pair->closed && a.rim > 0 && b.rim > 0)
        cover_about(pair, of_b ? &a : &b, of_b ? &b : &a, result);
    if (result->high - result->low > pair->closed)
        climb(pair, result);
    convex_face(pair, result);
}
