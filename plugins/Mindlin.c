/* SPDX-License-Identifier: MIT */
/* Mindlin.c - the tangential spring of elastic spheres under a load, limited by Coulomb friction. */
#include "slider.h"

typedef struct {
    double  modulus, friction, damping, restitution;
    int64_t history, as_lammps;
    double  alpha; /* damping over sqrt(mass * stiffness) */
} Law;

enum { DISPLACEMENT, FORCE, RESCALE, RESCALE_FORCE };
enum { X, Y, CIRCLE };
enum { SLIP };

#define TINY 1e-30 /* m: smaller radii and depths count as zero */

/* Factor on the stretch when the contact circle has grown or shrunk: constant, inversely proportional to the radius
 * (which keeps the force), or proportional to it. */
typedef struct {
    double stays, inverse, ratio;
} Share;
static const Share grown[] = {{1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}};
static const Share shrunk[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};

PCM_INLINE double kept(Share of, double inverse, double ratio)
{
    return of.stays + of.inverse * inverse + of.ratio * ratio;
}

/* The factor on this lane's old stretch when the contact radius changes from `before` to a. */
PCM_INLINE double share_kept(const Law *law, double a, double before)
{
    const Share  more = grown[law->history], less = shrunk[law->history];
    const double by = a / before, back = before / a, known = pcm_min(a, before) > TINY ? 1 : 0;
    const double ratio = known > 0 ? by : 1, inverse = known > 0 ? back : 1;
    const double growing = kept(more, inverse, ratio), shrinking = kept(less, inverse, ratio);
    return ratio < 1 ? shrinking : growing;
}

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const int    damps = law.alpha > 0, as_lammps = law.as_lammps != 0;
    const double per_dt = b->dt > 0 ? 1 / b->dt : 0;
    double      *next_x = b->next[X], *next_y = b->next[Y], *next_circle = b->next[CIRCLE];
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], a = b->contact_radius[i], before = b->state[CIRCLE][i];
        const double x0 = b->state[X][i], y0 = b->state[Y][i], keep = share_kept(&law, a, before);
        const double x = keep * x0 + b->dt * vx, y = keep * y0 + b->dt * vy;
        const double depth = b->depth[i], elastic = pcm_ramp(b->load_elastic[i] / depth);
        const double stiffness = 8 * law.modulus * a, normal = depth > TINY ? elastic : 0;
        const double stiff = pcm_choose(as_lammps, normal, stiffness);
        const double damper = pcm_choose(damps, law.alpha * pcm_sqrt(b->mass[i] * stiff), 0);
        const double bound = slider_bound(b, i, law.friction, as_lammps);
        const Slider on = slider(x, y, vx, vy, stiffness, damper, bound, a > TINY ? 1 : 0, as_lammps);
        b->force_x[i] = -on.held * on.pull_x;
        b->force_y[i] = -on.held * on.pull_y;
        next_x[i] = on.x;
        next_y[i] = on.y;
        next_circle[i] = a;
        if (b->reports) {
            const int64_t touching = on.held < 1 ? PCM_SLIPPING : PCM_STICKING;
            const double  stored = 0.5 * stiffness * (on.x * on.x + on.y * on.y);
            const double  held_before = 4 * law.modulus * before * (x0 * x0 + y0 * y0);
            const double  power = on.held * (on.pull_x * vx + on.pull_y * vy), lost = damper * (vx * vx + vy * vy);
            b->mode[i] = a > 0 ? touching : PCM_SEPARATED;
            b->energy[i] = stored;
            /* The mean over the step. If the spring only stiffens, its energy grows without work: not negative heat. */
            const double over = pcm_ramp(power - (stored - held_before) * per_dt), still = on.held < 1 ? power : lost;
            b->dissipation[i] = per_dt > 0 ? over : still;
            b->event[SLIP][i] = bound - on.pull;
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law         *law = params;
    const double log_e = pcm_log(law->restitution), pi = 3.141592653589793;
    (void)setup;
    law->alpha = -law->damping * pcm_sqrt(5) * log_e / pcm_sqrt(log_e * log_e + pi * pi);
    return 0;
}

static const char *const histories[] = {"Displacement", "Force", "Rescale", "RescaleForce", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedShearModulus", "Pa", 2.4e10, "G* of both bodies; steel on steel has 2.4e10",
             PCM_ABOVE(0), .mix = PCM_MIX_SHEAR),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "mu", .min = 0, .flags = PCM_CONE, .mix = PCM_MIX_GEOMETRIC),
    PCM_CHOICE(Law, history, "History", histories, RESCALE_FORCE, "what becomes of the spring as the load changes"),
    PCM_REAL(Law, damping, "TangentialDampingRatio", "1", 1,
             "of the damper to one that suits the spring and Restitution", .min = 0),
    PCM_REAL(Law, restitution, "Restitution", "1", 1, "that sets this damper; 1: none", .min = 0.01, .max = 1,
             .mix = PCM_MIX_GEOMETRIC),
    PCM_SWITCH(Law, as_lammps, "AsLammps", 0, "the damper, and the spring of what slides, as in LAMMPS"),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the spring along the surface", 1e-6, PCM_TANGENT, PCM_HISTORY, 0, -1},
    {"circle", "m", "radius of the circle of contact", 1e-4, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "slip", .doc = "the pull of the spring reaches the limit of friction, or is back below it"},
};

PCM_KERNELS(update);
PCM_MODEL(
    Mindlin, "Tangent spring of elastic spheres, behind a normal law", .params = PCM_TABLE(params),
    .source = "Mindlin, J. Applied Mechanics 16 (1949); Thornton, Cummins and Cleary, Powder Technology 233 (2013); "
              "LAMMPS, mindlin and its kin",
    .equations =
        "ft = -8 G* a u - h v,  u' = v                      a radius of the circle of contact, v slip\n"
        "1/G* = (2 - va)/Ga + (2 - vb)/Gb,  h = alpha sqrt(8 G* a m), alpha that of HertzTsuji for Restitution\n"
        "Where |ft| is above mu times the load it is scaled to that size, and where the spring alone is, so is u:\n"
        "the damper never stretches it, and friction never pushes along the slip. On adhesive spheres the limit is\n"
        "mu |f + 2 fc|, fc their pull-off force. As a changes from b to a, before u grows by the step:\n"
        "RescaleForce  u b/a where a > b      Force         u b/a: the force stays\n"
        "Rescale       u a/b where a < b      Displacement  u stays\n"
        "Under a load and a pull that grow together Displacement and Rescale are 3/2 times as stiff as\n"
        "Mindlin's increments, which the others add up. Force keeps what it pulls with as the load goes, up to\n"
        "friction. Displacement and Rescale stiffen what is stretched as the load grows: behind Hertz a closed\n"
        "way gives back up to (s - 1) r/(r + s^5) of its work more than it took, r = 5/24 mu^2 E*/G*, s the\n"
        "root of the ratio of depths: 2% for steel with mu = 0.5. Behind a normal law with damping there is no\n"
        "bound, and a part does not know what it is behind: it is declared active. RescaleForce only loses: under a\n"
        "load that trembles what hangs on it sinks by the same way with each swing, with Rescale too.\n"
        "AsLammps = true: h = alpha sqrt(m fe/d), fe the elastic load and d the depth, which has no bound behind\n"
        "Jkr at d = 0; and u of what slides is such that spring and damper together pull with the limit. With\n"
        "Rescale or Displacement friction then lags: steel that slides through an impact gets 90, 67 and 1% of\n"
        "mu (1 + e) m v at e = 0.5, 0.3 and 0.1, and is pushed along its slip on the way. It limits by mu |fn|, also\n"
        "where the normal law pulls without adhesion; otherwise there is no friction there.\n"
        "Partial slip, mu N (1 - (1 - u/s)^1.5) of Cattaneo and Mindlin, begins with the same slope; this slips\n"
        "as a whole, at 2/3 of s, and pulls up to 0.19 mu N more. Without its damper behind a normal law with one\n"
        "the spring has to stretch first: what only just slides through an impact then gets 2% less.\n"
        "Behind a line, an ellipse or a flat a is the radius of the circle of the same stiffness along the normal;\n"
        "8 G* a is then exact for a flat circle, and between the two directions of an ellipse. Holds for elastic\n"
        "bodies, the circle small against them.\n",
    .states = PCM_TABLE(states), .events = PCM_TABLE(events),
    .inputs = PCM_DEPTH | PCM_SLIP | PCM_MASS | PCM_LOAD | PCM_CONTACT_RADIUS,
    .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE,
    .flags = PCM_ISOTROPIC | PCM_ACTIVE | PCM_FRAME_SHARED, .prepare = prepare);
