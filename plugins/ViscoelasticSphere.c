/* SPDX-License-Identifier: MIT */
/* ViscoelasticSphere.c - a sphere on a standard linear solid, whose force depends on how it was pressed. */
#include "elastic.h"

typedef struct {
    double modulus, relaxing, time, radius;
} Law;

enum { EDGE, BEFORE, SLOW, SUM };

/* What carries at a time: a circle of the radius sqrt(R edge), as springs side by side. The spring at the radius
 * sqrt(R x) has been stretched by depth - x, and its relaxing branch by slow - rim (x/edge)^power. sum is the integral
 * of the latter over x^-1/2, which makes the force; so the power only matters for what is let off. */
typedef struct {
    double edge, slow, rim, sum, power;
} Circle;

/* Twice the energy in the branches over sqrt(R): of the lasting one, over E*, and the relaxing one, over E1. */
PCM_INLINE double lasting_energy(Circle c, double depth)
{
    return pcm_sqrt(c.edge) * (2 * depth * depth - c.edge * (4.0 / 3 * depth - 0.4 * c.edge));
}
PCM_INLINE double relaxing_energy(Circle c)
{
    const double root = pcm_sqrt(c.edge);
    return pcm_ramp(2 * c.slow * (c.slow * root - c.sum) + c.rim * c.rim * root / (2 * c.power + 0.5));
}

/* Lets go of the springs that no longer push: modulus (depth - x) + relaxing (slow - rim (x/edge)^power) < 0. Newton's
 * method for the logarithm, way, of x/edge. */
typedef struct {
    double lasts, relaxes, power, goal;
} Balance;
PCM_INLINE double nearer(Balance b, double way)
{
    const double a = b.lasts * pcm_exp_falling(way), e = b.relaxes * pcm_exp_falling(b.power * way);
    const double off = pcm_log(pcm_max(a + e, DBL_MIN)) - b.goal;
    return pcm_min(way - off * (a + e) / pcm_max(a + b.power * e, DBL_MIN), 0);
}
PCM_INLINE Circle let_off(const Law *law, Circle c, double depth)
{
    const double  left = pcm_ramp(law->modulus * depth + law->relaxing * c.slow);
    const Balance b = {law->modulus * c.edge, law->relaxing * c.rim, c.power, pcm_log(pcm_max(left, DBL_MIN))};
    const double  way = nearer(b, nearer(b, nearer(b, nearer(b, 0)))), on = left > 0 ? 1 : 0;
    const double  rest = on * pcm_exp_falling(way), share = on * pcm_exp_falling(c.power * way);
    const int     kept = b.lasts + b.relaxes <= left;
    return (Circle){c.edge * (kept ? 1 : rest), c.slow, c.rim * (kept ? 1 : share),
                    c.sum * (kept ? 1 : share * pcm_sqrt(rest)), c.power};
}

/* At the edge no spring pushes: modulus d + relaxing (slow - rim) = 0, d the depth less the edge. */
PCM_INLINE double rim_of(const Law *l, double slow, double d) { return pcm_ramp(slow + l->modulus / l->relaxing * d); }

/* New springs from the old edge on. */
PCM_INLINE Circle grow(const Law *law, Circle c, double edge, double depth)
{
    const double from = pcm_sqrt(c.edge), to = pcm_sqrt(pcm_max(edge, c.edge)), wide = pcm_max(from + to, DBL_MIN);
    const double even = rim_of(law, c.slow, depth - edge), mean = (to + 2 * from) / (3 * wide);
    const double rim = edge > c.edge ? even : c.rim;
    const double sum = c.sum + 2 * (to - from) * (c.rim + (rim - c.rim) * mean);
    /* The power with that sum. */
    return (Circle){to * to, c.slow, rim, sum, pcm_clamp(rim * to / pcm_max(sum, DBL_MIN) - 0.5, 1e-3, 8)};
}

PCM_INLINE void press(const pcm_batch *b, const Law *from, int needs)
{
    const Law    law = *from;
    const double own = law.radius, x = b->dt / law.time, h = pcm_tanh_ratio(x / 2), per_dt = b->dt > 0 ? 1 / b->dt : 0;
    const double fades = pcm_exp_falling(-x), mean = h / (1 + 0.5 * x * h); /* of exp(-s/time) over the step */
    const double heals = pcm_exp_falling(-x * law.modulus / (law.modulus + law.relaxing));
    double *next_edge = b->next[EDGE], *next_slow = b->next[SLOW], *next_sum = b->next[SUM], *before = b->next[BEFORE];
    PCM_EACH(b, i) {
        const double root = pcm_sqrt(elastic_radius(ELASTIC_GAP(b, i), own, needs)), depth = pcm_ramp(b->depth[i]);
        const double edge = pcm_ramp(b->state[EDGE][i]), last = pcm_ramp(b->state[BEFORE][i]);
        const double slow = b->state[SLOW][i], sum = pcm_ramp(b->state[SUM][i]), rim = rim_of(&law, slow, last - edge);
        const Circle old = {edge, fades * slow + mean * (depth - last), fades * rim, fades * sum, 0};
        const double dent = heals * (last - edge); /* what is left of the dent around the circle */
        const Circle most = grow(&law, old, pcm_min(depth - dent, depth), depth), now = let_off(&law, most, depth);
        const double lasting = law.modulus * pcm_sqrt(now.edge) * (2 * depth - 2.0 / 3 * now.edge);
        const double relaxing = law.relaxing * (2 * now.slow * pcm_sqrt(now.edge) - now.sum);
        b->force_n[i] = root * pcm_ramp(lasting + relaxing);
        b->patch_radius[i] = root * pcm_sqrt(now.edge);
        next_edge[i] = now.edge;
        before[i] = depth;
        next_slow[i] = now.edge > 0 ? now.slow : 0;
        next_sum[i] = now.sum;
        if (b->reports) {
            const double relaxes = relaxing_energy(now);
            const double stored = law.modulus * lasting_energy(now, depth) + law.relaxing * relaxes;
            const double held = law.modulus * lasting_energy(most, depth) + law.relaxing * relaxing_energy(most);
            b->energy[i] = 0.5 * root * stored;
            b->dissipation[i] = root * (law.relaxing / law.time * relaxes + 0.5 * pcm_ramp(held - stored) * per_dt);
        }
    }
}

ELASTIC_UPDATE(press, law.radius, ELASTIC_ELLIPSES)

static double radius_of(const Law *law, const pcm_load *load) { return law->radius > 0 ? law->radius : load->radius; }

PCM_DERIVED(Law, slow_stiffness, 4.0 / 3 * law->modulus * pcm_sqrt(radius_of(law, load)));
PCM_DERIVED(Law, fast_stiffness, 4.0 / 3 * (law->modulus + law->relaxing) * pcm_sqrt(radius_of(law, load)));

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 1e6, "E*: of both bodies after a long time", .min = 0,
             .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, relaxing, "RelaxingModulus", "Pa", 1e6, "E1: by which E* is larger at first", PCM_ABOVE(0)),
    PCM_REAL(Law, time, "RelaxationTime", "s", 0.1, "tau: in which E1 falls by e", PCM_ABOVE(0)),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
};

static const pcm_state states[] = {
    {"edge", "m", "R times it is the square of the circle's radius", 1e-4, PCM_SCALAR, PCM_HISTORY, 0, 1},
    {"before", "m", "depth at the last step", 1e-4, PCM_SCALAR, PCM_HISTORY, 0, 1},
    {"slow", "m", "of the depth, what has not relaxed", 1e-4, PCM_SCALAR, PCM_HISTORY, 0, 1},
    {"sum", "m^1.5", "of that, what there was at a spring's touch", 1e-6, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_derived derived[] = {
    {"slow_stiffness", "N/m^1.5", "force over depth^1.5, pressed slowly", slow_stiffness},
    {"fast_stiffness", "N/m^1.5", "the same, pressed fast", fast_stiffness},
};

PCM_KERNELS(update);
PCM_MODEL(ViscoelasticSphere, "Sphere on a standard linear solid", .params = PCM_TABLE(params),
          .source = "Lee and Radok, J. Applied Mechanics 27 (1960) 438; Ting, J. Applied Mechanics 33 (1966) 845",
          .equations =
              "fn = 4/3 sqrt(R) int E(t - s) d(d^1.5)/ds ds,  E(t) = E* + E1 exp(-t/tau)      d depth, while it grows\n"
              "When it falls the circle of contact is as large as at an earlier time t1 of the growth, with\n"
              "int E(t - s) d'(s) ds = 0 from t1 to t, and the integral for fn ends at t1 (Ting): it pushes with\n"
              "nothing before the depth is 0 again. Both are exact for springs side by side on the radius x, which\n"
              "touch at the depth x^2/R. Their stretch over the radius is kept as a power with the right integral and\n"
              "value at the edge: Ting's force then is within 0.6 % of the greatest. Pressed again, the dent around\n"
              "the circle has healed with tau (E* + E1)/E*. Poisson's ratio is constant. What has parted is\n"
              "forgotten, and so is the energy of a dent: up to 3 % of the work is missing where it is pressed again.\n"
              "Holds for points of contact, a small against R.\n",
          .states = PCM_TABLE(states), .derived = PCM_TABLE(derived), .inputs = ELASTIC_POINTS,
          .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_PATCH_RADIUS, .flags = PCM_ISOTROPIC | PCM_POINTS);
