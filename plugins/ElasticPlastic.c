/* SPDX-License-Identifier: MIT */
/* ElasticPlastic.c - spheres that yield bit by bit, by Jackson and Green's fit to finite elements. */
#include "elastic.h"

typedef struct {
    double modulus, strength, poisson, radius;
    double share, log_share, grow, soft; /* the depth of first yield over R, its logarithm; B/2; 4/C */
} Law;

enum { DEEPEST };
enum { TOUCH, YIELD };

static const double pi = 3.141592653589793;

/* The circle of contact and the load where a sphere is pressed deeper than ever. */
typedef struct {
    double circle, load;
} Pressed;

PCM_INLINE Pressed pressed(const Law *law, double radius, double depth)
{
    const double critical = law->share * radius, x = depth / critical, t = pcm_max(x, 1.9), log_t = pcm_log(t);
    const double wide = law->grow * (log_t - 0.6418538861723947), size = 0.5 * (log_t + law->log_share) + wide;
    const double hard = 2.84 * (1 - pcm_exp(-0.82 * pcm_exp(-0.7 * size)));
    const double spreads = pcm_exp(-0.25 * pcm_exp(5.0 / 12 * log_t));
    const double flows = law->soft * hard * (1 - pcm_exp(-0.04 * pcm_exp(5.0 / 9 * log_t)));
    const double elastic = x * pcm_sqrt(x), fit = t * (spreads * pcm_sqrt(t) + flows);
    /* The fit jumps where it begins: it takes over up to twice that depth, and where it is below Hertz. */
    const double u = pcm_clamp((x - 1.9) / 1.9, 0, 1), part = u * u * (3 - 2 * u);
    const double unit = 4.0 / 3 * law->modulus * pcm_sqrt(radius * critical) * critical;
    return (Pressed){pcm_sqrt(radius * depth) * pcm_exp(wide), unit * (elastic + part * pcm_min(fit - elastic, 0))};
}

PCM_INLINE void press(const pcm_batch *b, const Law *from, int needs)
{
    const Law    law = *from;
    const double own = law.radius, per_dt = b->dt > 0 ? 1 / b->dt : 0;
    double      *next = b->next[DEEPEST];
    PCM_EACH(b, i) {
        const double  radius = elastic_radius(ELASTIC_GAP(b, i), own, needs);
        const double  depth = pcm_ramp(b->depth[i]), before = pcm_ramp(b->state[DEEPEST][i]);
        const double  most = depth > before ? depth : before;
        const Pressed p = pressed(&law, radius, most);
        /* From there it gives back as a sphere with the radius of curvature of the dent. */
        const double spring = 4.0 / 3 * law.modulus * p.circle, height = p.load / pcm_max(spring, DBL_MIN);
        const double dent = p.circle * p.circle / pcm_max(height, DBL_MIN);
        const double rise = pcm_ramp(height - (most - depth)), patch = pcm_sqrt(dent * rise);
        const double force = 4.0 / 3 * law.modulus * patch * rise;
        b->force_n[i] = force;
        b->patch_radius[i] = patch;
        next[i] = most;
        if (b->reports) {
            /* The work of pressing deeper, less the increase of the elastic energy 0.4 fn h (h: height). */
            const Pressed q = pressed(&law, radius, before);
            const double  low = q.load / pcm_max(4.0 / 3 * law.modulus * q.circle, DBL_MIN);
            const double  work = 0.5 * (p.load + q.load) * (most - before);
            const double  lost = work - 0.4 * (p.load * height - q.load * low);
            const double  begins = pcm_max(before, 1.9 * law.share * radius);
            b->energy[i] = 0.4 * force * rise;
            b->dissipation[i] = (most > begins ? 1.0 : 0) * pcm_ramp(lost) * per_dt;
            b->event[TOUCH][i] = b->depth[i];
            b->event[YIELD][i] = depth - begins;
        }
    }
}

ELASTIC_UPDATE(press, law.radius, ELASTIC_ELLIPSES)

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    if (!(law->strength <= 0.1 * law->modulus)) {
        setup->report(setup, "YieldStrength", "must be at most a tenth of ReducedModulus: the law is for metals");
        return 1;
    }
    const double peak = 1.295 * pcm_exp(0.736 * law->poisson), slant = 0.5 * pi * peak * law->strength / law->modulus;
    law->share = slant * slant;
    law->log_share = 2 * pcm_log(slant);
    law->grow = 0.07 * pcm_exp(23 * law->strength / law->modulus);
    law->soft = 4 / peak;
    return 0;
}

static double radius_of(const Law *law, const pcm_load *load) { return law->radius > 0 ? law->radius : load->radius; }

PCM_DERIVED(Law, yield_depth, law->share *radius_of(law, load));
PCM_DERIVED(Law, yield_force, pressed(law, radius_of(law, load), yield_depth(law, load)).load);
PCM_DERIVED(Law, yield_speed, pcm_sqrt(0.8 * yield_force(law, load) * yield_depth(law, load) / load->mass));

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 1.1e11, "E* of both bodies; steel on steel has 1.1e11", PCM_ABOVE(0),
             .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, strength, "YieldStrength", "Pa", 2e8, "Sy: in tension; of the weaker body", PCM_ABOVE(0),
             .mix = PCM_MIX_MINIMUM),
    PCM_REAL(Law, poisson, "PoissonRatio", "1", 0.3, "nu: of that body; of two materials their mean", .min = -1,
             .max = 0.5, .flags = PCM_OPEN_MIN, .mix = PCM_MIX_MEAN),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
};

static const pcm_state states[] = {
    {"deepest", "m", "greatest depth so far", 1e-5, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the bodies touch, or part"},
    {.name = "yield", .doc = "they begin to yield, or no longer do"},
};

static const pcm_derived derived[] = {
    {"yield_depth", "m", "d1: where it first yields, below the surface", yield_depth},
    {"yield_force", "N", "load there", yield_force},
    {"yield_speed", "m/s", "of an impact with that mass that just yields", yield_speed},
};

PCM_KERNELS(update);
PCM_MODEL(
    ElasticPlastic, "Elastic-plastic spheres, fitted to finite elements", .params = PCM_TABLE(params),
    .source = "Jackson and Green, J. Tribology 127 (2005) 343",
    .equations =
        "fn = f1 x^1.5 up to x = 1.9,  x = d/d1, d1 = (pi C Sy/(2 E*))^2 R, C = 1.295 exp(0.736 nu)\n"
        "fn = f1 (exp(-x^(5/12)/4) x^1.5 + 4 H/(C Sy) (1 - exp(-x^(5/9)/25)) x)      from x = 3.8 on\n"
        "H/Sy = 2.84 (1 - exp(-0.82 (a/R)^-0.7)),  a^2 = R d (x/1.9)^B, B = 0.14 exp(23 Sy/E*)\n"
        "f1 = 4/3 E* sqrt(R) d1^1.5. As published the second line begins at 1.9, where it is 0.5 % above the\n"
        "first for nu = 0.3, 8 % for 0 and 3 % below it for 0.5: between 1.9 and 3.8 this goes smoothly from one\n"
        "to the other, and is never above the first, which would give energy.\n"
        "Let off, it gives back as a sphere with the dent's radius of curvature, as Thornton. Thornton has\n"
        "one yield pressure; here the pressure grows from C Sy to nearly 3 Sy and falls again. Holds for points\n"
        "of contact of metals, by a fit to one sphere that a rigid plane flattens, up to a = 0.41 R.\n",
    .states = PCM_TABLE(states), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .inputs = ELASTIC_POINTS,
    .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_PATCH_RADIUS, .flags = PCM_ISOTROPIC | PCM_POINTS,
    .prepare = prepare);
