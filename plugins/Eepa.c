/* SPDX-License-Identifier: MIT */
/* Eepa.c - cohesive powder that is pressed into dents: it pulls the more, the deeper it was pressed. */
#include "elastic.h"

typedef struct {
    double loading, unloading, exponent, adhesion, adhesion_exponent, constant, radius;
    double left; /* 1 - k1/k2 */
    double back; /* share of an impact's energy that returns without adhesion */
} Law;

enum { DENT };
enum { TOUCH, YIELD, CLING };

/* (1 - x)^m - 1 + m x over m (m - 1)/2 x^2, near x = 0. */
PCM_INLINE double rest(double m, double x)
{
    double sum = 1 - x * (m - 8) / 9;
    sum = 1 - x * (m - 7) / 8 * sum;
    sum = 1 - x * (m - 6) / 7 * sum;
    sum = 1 - x * (m - 5) / 6 * sum;
    sum = 1 - x * (m - 4) / 5 * sum;
    sum = 1 - x * (m - 3) / 4 * sum;
    return 1 - x * (m - 2) / 3 * sum;
}

/* What a line of unloading stores over k2, from its zero at `from` to a depth: the area under it. high and level are
 * their powers, x = 1 - level/high; where that is small, differences cancel. */
PCM_INLINE double area(double n, double depth, double high, double from, double level, double x)
{
    const double m = (n + 1) / n, far = (high * depth - level * from) / (n + 1) - level * (depth - from);
    const double near = 0.5 * high * depth * (m - 1) * x * x * rest(m, x);
    return pcm_abs(x) < 0.05 ? near : pcm_ramp(far);
}

PCM_INLINE void press(const pcm_batch *b, const Law *from, int needs)
{
    const Law    law = *from;
    const double own = law.radius, per_unloading = 1 / law.unloading, per_exponent = 1 / law.exponent;
    const double per_dt = b->dt > 0 ? 1 / b->dt : 0;
    double      *next = b->next[DENT];
    PCM_EACH(b, i) {
        const double depth = pcm_ramp(b->depth[i]), dent = pcm_ramp(b->state[DENT][i]), touch = b->depth[i] < 0 ? 0 : 1;
        const double high = pcm_pow(depth, law.exponent), low = pcm_pow(dent, law.exponent);
        const double load = law.loading * high, line = law.unloading * (high - low);
        const double pull = law.adhesion * pcm_pow(depth, law.adhesion_exponent);
        const double some = line < -pull ? -pull : line, force = load < some ? load : some;
        /* Where that line is left, the one through this place crosses zero at another depth. */
        const double level = force == line ? low : pcm_ramp(high - force * per_unloading);
        const double crossing = pcm_pow(level, per_exponent), after = force == line ? dent : crossing;
        const double held = touch * (pull - law.constant);
        b->force_n[i] = touch * (force + law.constant);
        b->elastic_n[i] = force + pull;
        b->adhesive_n[i] = -held;
        b->pull_off[i] = 0.5 * held; /* friction goes by the load and twice this */
        b->patch_radius[i] = pcm_sqrt(elastic_radius(ELASTIC_GAP(b, i), own, needs) * depth);
        next[i] = after;
        if (b->reports) {
            /* To move the line at this depth loses what the new one stores less. */
            const double per_high = per_unloading / pcm_max(high, DBL_MIN);
            const double before = area(law.exponent, depth, high, dent, low, line * per_high);
            const double stored = area(law.exponent, depth, high, after, level, force * per_high);
            b->energy[i] = law.unloading * stored + law.constant * depth;
            b->dissipation[i] = law.unloading * pcm_ramp(before - stored) * per_dt;
            b->event[TOUCH][i] = b->depth[i];
            b->event[YIELD][i] = line - load;
            b->event[CLING][i] = -pull - line;
        }
    }
}

ELASTIC_UPDATE(press, law.radius, ELASTIC_ELLIPSES)

static int prepare(const pcm_setup *setup, void *params)
{
    Law         *law = params;
    const double n = law->exponent;
    law->left = 1 - law->loading / law->unloading;
    const double left = pcm_ramp(law->left), dent = pcm_pow(left, 1 / n);
    law->back = law->unloading / law->loading * (1 - left * dent - (n + 1) * left * (1 - dent));
    if (law->unloading >= law->loading)
        return 0;
    setup->report(setup, "UnloadingStiffness", "must not be below LoadingStiffness");
    return 1;
}

static double depth_under(const Law *law, double force)
{
    return pcm_pow((force - law->constant) / law->loading, 1 / law->exponent);
}

PCM_DERIVED(Law, plasticity, law->left);
PCM_DERIVED(Law, compression, depth_under(law, load->force));
PCM_DERIVED(Law, dry_restitution, pcm_sqrt(pcm_ramp(law->back)));

static const pcm_param params[] = {
    PCM_REAL(Law, loading, "LoadingStiffness", "N/m^Exponent", 1e7, "k1", PCM_ABOVE(0)),
    PCM_REAL(Law, unloading, "UnloadingStiffness", "N/m^Exponent", 5e7, "k2: at least k1", PCM_ABOVE(0)),
    PCM_REAL(Law, exponent, "Exponent", "1", 1.5, "n: 1.5 or 1 in the papers", .min = 1, .max = 3),
    PCM_REAL(Law, adhesion, "AdhesionStiffness", "N/m^AdhesionExponent", 1e6, "ka: what it pulls at most, per d^x",
             .min = 0),
    PCM_REAL(Law, adhesion_exponent, "AdhesionExponent", "1", 1.5, "x", .min = 1, .max = 6),
    PCM_REAL(Law, constant, "ConstantForce", "N", 0, "f0: with which they pull as soon as they touch; not above 0",
             .max = 0),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb, for parts behind it; 0: that of the objects",
             .min = 0),
};

static const pcm_state states[] = {
    {"dent", "m", "depth at which the line that it is on crosses f0", 1e-5, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the grains touch, or part"},
    {.name = "yield", .doc = "they are pressed in along the virgin line, or no longer"},
    {.name = "cling", .doc = "they are torn off along the line of adhesion, or no longer"},
};

static const pcm_derived derived[] = {
    {"plasticity", "1", "1 - k1/k2, the contact plasticity ratio of the papers", plasticity},
    {"compression", "m", "compression under the load, where it was never larger", compression},
    {"dry_restitution", "1", "of an impact at any speed, if nothing pulled", dry_restitution},
};

PCM_KERNELS(update);
PCM_MODEL(
    Eepa, "Elasto-plastic adhesion of powder (Edinburgh)", .params = PCM_TABLE(params),
    .source = "Thakur, Morrissey, Sun, Chen and Ooi, Granular Matter 16 (2014) 383; Morrissey, thesis, Edinburgh "
              "2013, for x",
    .equations =
        "fn = f0 + k1 d^n               deeper than ever before: the virgin line\n"
        "fn = f0 + k2 (d^n - d0^n)      else, where d0 is the depth at which that line crosses f0\n"
        "fn = f0 - ka d^x               where that is more\n"
        "Where it leaves the second line, d0 moves with it: d0^n = d^n - (fn - f0)/k2. A contact that is pressed\n"
        "again while it is torn off then goes up a line of its own to the virgin one, as the papers draw it. Their\n"
        "formula alone, which remembers only the greatest depth, would go back down the line of adhesion.\n"
        "n = x = 1 and f0 = 0 is LudingHysteresis. The papers get ka from a surface energy and the greatest depth;\n"
        "here it is given. It has no damping. Friction behind it is limited by fn - f0 + ka d^x, as theirs.\n"
        "The dent is forgotten when the grains part. Holds for points of contact of cohesive powder and soil, whose\n"
        "numbers come from compression and shear tests of the bulk.\n",
    .states = PCM_TABLE(states), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .inputs = ELASTIC_POINTS,
    .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_SHARES | PCM_PATCH_RADIUS,
    .flags = PCM_ISOTROPIC | PCM_POINTS | PCM_PULLS | PCM_JUMPS, .prepare = prepare);
