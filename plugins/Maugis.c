/* SPDX-License-Identifier: MIT */
/* Maugis.c - elastic spheres that stick to each other, from Dmt's stiff ones to Jkr's soft ones. */
#include "elastic.h"

typedef struct {
    double modulus, work, stress, radius, largest_radius;
} Law;

enum { RELEASE };

static const double pi = 3.141592653589793;

/* With more than this balance there is no equilibrium; up to it, what is above 1 is rounding. */
#define LET_GO 1.000002

/* In Maugis's units, where 4/3 E*, R and pi w are 1: a radius of the circle of contact, m that of the cohesive zone
 * over a, t = sqrt(m^2 - 1), angle = atan t. balance is 1 in equilibrium at the depth d, slope its derivative by a. */
typedef struct {
    double a, t, m, angle, balance, slope, load;
} Zone;

PCM_INLINE Zone zone(double lambda, double a, double d)
{
    const double per_a = 1 / a, both = (4.0 / 3) * lambda * lambda, one = 0.5 * lambda * a, per_t = 0.75 / lambda;
    const double t = pcm_abs(a - d * per_a) * per_t, square = t * t, m = pcm_sqrt(1 + square), per_m = 1 / m;
    const double angle = pcm_atan2(t * per_m, per_m), open = t + (square - 1) * angle,
                 rim = t * angle - square / (1 + m);
    const double opens = 2 * t * (angle + t * per_m * per_m), rims = angle + t * (per_m * per_m - per_m);
    const double by_t = a * (one * opens + both * rims) * (1 + d * per_a * per_a) * per_t;
    const double balance = a * (one * open + both * rim), slope = 2 * one * open + both * rim + by_t;
    return (Zone){a, t, m, angle, balance, slope, a * a * (a - lambda * (t + m * m * angle))};
}

/* The radii of a block of lanes at their depths, in Maugis's units. */
typedef struct {
    size_t count;
    double lambda[PCM_BLOCK_LANES], depth[PCM_BLOCK_LANES], a[PCM_BLOCK_LANES];
} Block;

/* The largest radius at a depth, from a larger one, by Newton's method for the root of the balance, which is nearly
 * straight. Where there is none, the balance stays above 1. */
PCM_INLINE void find_equilibria(Block *block)
{
    enum { STEPS = 10 };
    double *a = block->a;
    PCM_EACH(block, i)
        a[i] = pcm_sqrt(pcm_ramp(block->depth[i])) + 1.387;
    for (int step = 0; step < STEPS; step++)
        PCM_EACH(block, i) {
            const Zone   z = zone(block->lambda[i], a[i], block->depth[i]);
            const double less = 2 * (z.balance - pcm_sqrt(z.balance)) / pcm_max(z.slope, 1e-30);
            a[i] = pcm_max(z.a - less, 1e-6);
        }
}

/* A place on the curve of equilibria, which is explicit in the logarithm of t: the balance is a quadratic in a. */
typedef struct {
    double a, depth;
} Place;

PCM_INLINE Place place(double lambda, double log_t)
{
    const double t = pcm_exp(log_t), square = t * t, m = pcm_sqrt(1 + square), per_m = 1 / m;
    const double angle = pcm_atan2(t * per_m, per_m), open = t + (square - 1) * angle,
                 rim = t * angle - square / (1 + m);
    const double half = 2.0 / 3 * lambda * lambda * rim;
    const double a = 1 / (half + pcm_sqrt(half * half + 0.5 * lambda * open));
    return (Place){a, a * (a - 4.0 / 3 * lambda * t)};
}

/* The places of least depth, by golden sections. The depth, and so the energy, is flat there. */
PCM_INLINE void find_releases(Block *block)
{
    enum { STEPS = 32 };
    const double golden = 0.6180339887498949;
    double       low[PCM_BLOCK_LANES], width[PCM_BLOCK_LANES];
    PCM_EACH(block, i) {
        low[i] = -10;
        width[i] = 20;
    }
    for (int step = 0; step < STEPS; step++)
        PCM_EACH(block, i) {
            const double shorter = golden * width[i], other = low[i] + (width[i] - shorter);
            const Place  first = place(block->lambda[i], other), second = place(block->lambda[i], low[i] + shorter);
            low[i] = first.depth < second.depth ? low[i] : other;
            width[i] = shorter;
        }
    PCM_EACH(block, i) {
        const Place last = place(block->lambda[i], low[i] + 0.5 * width[i]);
        block->a[i] = last.a;
        block->depth[i] = last.depth;
    }
}

/* Elastic energy and that of the interface, which is 0 for separate bodies. */
PCM_INLINE double energy(double lambda, Zone z, double d)
{
    const double a = z.a, c = a * z.m, aa = a * a, cc = c * c, edge = a * z.t, out = 0.5 * pi - z.angle;
    const double ring = 2.0 / 3 * cc * c - cc * a + aa * a / 3,
                 lift = d * (0.5 * (a * edge + cc * out) - 0.25 * pi * aa) -
                        0.125 * (cc * cc * out - a * (cc - 2 * aa) * edge - 0.5 * pi * aa * aa);
    return 0.75 * a * (d * d + aa * (0.2 * aa - 2.0 / 3 * d)) - 4.0 / 3 * lambda * lambda * ring - cc +
           0.5 * lambda * (pi * (cc - aa) * (0.25 * (cc + aa) - d) + 4 * lift);
}

/* Maugis's unit of radius, and his number. */
PCM_INLINE double unit_of(const Law *law, double r) { return pcm_cbrt(0.75 * pi * law->work * r * r / law->modulus); }
PCM_INLINE double lambda_of(const Law *law, double radius)
{
    return pcm_clamp(1.5 * law->stress * radius / (law->modulus * unit_of(law, radius)), 1e-3, 1e3);
}

/* The greatest pull over pi w R, within 1.5 %. */
PCM_INLINE double most_pull(double lambda)
{
    return 2 - 0.5 * lambda * pcm_sqrt(lambda) / (lambda * pcm_sqrt(lambda) + 0.2523);
}

PCM_INLINE void press_block(const pcm_batch *b, const Law *from, int needs, size_t first)
{
    const Law    law = *from;
    const double own = law.radius;
    const size_t left = b->count - first;
    Block        now, flush, last; /* at their depths, where they touch, and, of those that let go, where they do */
    double       balance[PCM_BLOCK_LANES], released = 0;
    now.count = flush.count = last.count = left < PCM_BLOCK_LANES ? left : PCM_BLOCK_LANES;
    PCM_EACH(&now, i) {
        const double radius = elastic_radius(ELASTIC_GAP(b, first + i), own, needs), unit = unit_of(&law, radius);
        now.lambda[i] = flush.lambda[i] = last.lambda[i] = lambda_of(&law, radius);
        now.depth[i] = b->depth[first + i] / (unit * unit / radius);
        flush.depth[i] = last.depth[i] = 0;
        last.a[i] = 1;
    }
    find_equilibria(&now);
    if (b->reports) {
        find_equilibria(&flush);
        PCM_EACH(&now, i)
            balance[i] = zone(now.lambda[i], now.a[i], now.depth[i]).balance;
        for (size_t i = 0; i < now.count; i++)
            released += balance[i] < LET_GO ? 0 : 1;
        if (released > 0)
            find_releases(&last);
    }
    PCM_EACH(&now, i) {
        const size_t k = first + i;
        const double radius = elastic_radius(ELASTIC_GAP(b, k), own, needs), unit = unit_of(&law, radius);
        const double lambda = now.lambda[i], full = pi * law.work * radius, high = unit * unit / radius;
        const Zone   z = zone(lambda, now.a[i], now.depth[i]);
        const double on = z.balance < LET_GO ? 1 : 0, spring = full * on * (z.a * z.a * z.a), push = full * on * z.load;
        b->force_n[k] = push;
        b->elastic_n[k] = spring;
        b->adhesive_n[k] = push - spring;
        b->pull_off[k] = full * most_pull(lambda);
        b->patch_radius[k] = on * unit * z.a;
        b->life[k] = on > 0 ? PCM_LIVE : PCM_BROKEN;
        if (b->reports) {
            const double begins = energy(lambda, zone(lambda, flush.a[i], 0), 0);
            const double held_a = on > 0 ? now.a[i] : last.a[i], held_depth = on > 0 ? now.depth[i] : last.depth[i];
            b->energy[k] = full * high * (energy(lambda, zone(lambda, held_a, held_depth), held_depth) - begins);
            b->dissipation[k] = 0;
            b->event[RELEASE][k] = LET_GO - z.balance;
        }
    }
}

PCM_INLINE void press(const pcm_batch *b, const Law *law, int needs)
{
    for (size_t first = 0; first < b->count; first += PCM_BLOCK_LANES)
        press_block(b, law, needs, first);
}

ELASTIC_UPDATE(press, law.radius, ELASTIC_ELLIPSES)

static double radius_of(const Law *law, const pcm_load *load) { return law->radius > 0 ? law->radius : load->radius; }

PCM_DERIVED(Law, transition, lambda_of(law, radius_of(law, load)));
PCM_DERIVED(Law, pull_off_force, pi * law->work * radius_of(law, load) * most_pull(transition(law, load)));

/* No gap holds that is larger than this, which is nearly reached at lambda = 0.8; for the largest spheres. */
static double reach(const void *params)
{
    const Law   *law = params;
    const double radius = law->radius > 0 ? law->radius : law->largest_radius;
    return unit_of(law, radius) * unit_of(law, radius) / radius;
}

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 1e9, "E* of both bodies", PCM_ABOVE(0), .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, work, "WorkOfAdhesion", "J/m^2", 0.05, "w: to part a unit of area; 2 gamma of equal materials",
             PCM_ABOVE(0), .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, stress, "CohesiveStress", "Pa", 2.5e8, "s0: they pull with it up to a gap of w/s0", PCM_ABOVE(0)),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
    PCM_REAL(Law, largest_radius, "LargestRadius", "m", 1, "for looking for contacts", PCM_ABOVE(0)),
};

static const pcm_event events[] = {{.name = "release", .doc = "they let go of each other", .direction = -1}};

static const pcm_derived derived[] = {
    {"transition", "1", "lambda: below 0.1 it is nearly Dmt, above 5 Jkr", transition},
    {"pull_off_force", "N", "what parts them under a load, within 1.5 %", pull_off_force},
};

PCM_KERNELS(update);
PCM_MODEL(
    Maugis, "Elastic spheres with adhesion between Dmt's and Jkr's", .params = PCM_TABLE(params),
    .source = "Maugis, J. Colloid and Interface Science 150 (1992) 243",
    .equations =
        "A cohesive stress s0 acts between the radii a and c = m a, where the gap is at most w/s0, t = sqrt(m^2 - 1):\n"
        "d  = a^2/R - 2 s0 a t/E*,  fn = 4 E* a^3/(3 R) - 2 s0 a^2 (t + m^2 atan t)\n"
        "1 = (L A^2/2) (t + (m^2 - 2) atan t) + (4 L^2 A/3) (t atan t - m + 1),  A = a/u,\n"
        "L = 1.5 s0 R/(E* u), u = (3/4 pi w R^2/E*)^(1/3); Tabor's number is L/1.16\n"
        "They touch at d = 0, which pulls at once, and hold to the least depth on the curve or to a = 0; what\n"
        "stiff spheres pull beyond that, without touching, is left out. Energy counts from the touch; what is left\n"
        "at the release is lost. s0 is about w/0.2 nm. Holds for points of contact of smooth spheres, L 0.001 to "
        "1000.\n",
    .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .inputs = ELASTIC_POINTS,
    .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE | PCM_SHARES | PCM_PATCH_RADIUS,
    .flags = PCM_ISOTROPIC | PCM_POINTS | PCM_PULLS | PCM_JUMPS, .reach = reach);
