/* SPDX-License-Identifier: MIT */
/* HertzTsuji.c - elastic bodies with a damper whose restitution is the same at every impact speed. */
#include "elastic.h"

typedef struct {
    double  modulus, restitution, radius, mass;
    int64_t damping;
    double  alpha, least; /* the damper's factor, and the least force */
} Law;

enum { CLIPPED, UNCLIPPED, CLIPPED_NOMINAL };
enum { TOUCH, RELEASE };

PCM_INLINE void press(const pcm_batch *b, const Law *law, int needs)
{
    const double weight = law->mass, stiff = 4.0 / 3 * law->modulus;
    PCM_EACH(b, i) {
        const double dd = b->depth_rate[i], mass = pcm_choose(weight > 0, weight, b->mass[i]);
        const Touch  t = elastic_touch(ELASTIC_GAP(b, i), ELASTIC_EXTENT(b, i), law->modulus, law->radius,
                                       pcm_ramp(b->depth[i]), needs);
        const double spring = touch_sum(t, t.point.force, t.whole.force);
        const double of_point = pcm_sqrt(mass * (stiff * t.point.circle));
        const double of_whole = t.of_whole > 0 ? pcm_sqrt(mass * (stiff * t.whole.circle)) : 0;
        const double sum = spring + law->alpha * touch_sum(t, of_point, of_whole) * dd;
        const double force = sum < law->least ? law->least : sum;
        b->force_n[i] = force;
        b->elastic_n[i] = spring;
        b->adhesive_n[i] = 0;
        b->pull_off[i] = 0;
        b->patch_radius[i] = touch_sum(t, t.point.circle, t.whole.circle);
        if (b->reports) {
            b->energy[i] = touch_sum(t, t.point.work, t.whole.work);
            b->dissipation[i] = (force - spring) * dd;
            b->event[TOUCH][i] = b->depth[i];
            b->event[RELEASE][i] = sum;
        }
    }
}

ELASTIC_UPDATE(press, law.radius, ELASTIC_ALL)

/* With x = d^1.25, and time running d^0.25 times as fast, the impact is that of a linear spring and damper with the
 * damping ratio z = alpha/sqrt(5). This is its restitution if it lets go at zero force. */
static double clipped_restitution(double z)
{
    const double rest = 1 - z * z, w = pcm_sqrt(pcm_abs(rest));
    const double below = z * pcm_atan2(2 * z * w, 2 * z * z - 1) / w, above = 2 * z * pcm_log(z + w) / w;
    return pcm_exp(-(rest > 0 ? below : rest < 0 ? above : 2));
}

static double unclipped_damping(double e)
{
    const double log_e = pcm_log(e), pi = 3.141592653589793;
    return -log_e / pcm_sqrt(log_e * log_e + pi * pi);
}

/* A clipped impact returns more speed, so it needs more damping. */
static double clipped_damping(double e)
{
    double low = 0, high = 1;
    while (clipped_restitution(high) > e)
        high *= 2;
    for (int step = 0; step < 60; step++) {
        const double z = 0.5 * (low + high);
        if (clipped_restitution(z) > e)
            low = z;
        else
            high = z;
    }
    return e < 1 ? low : 0;
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law         *law = params;
    const double e = law->restitution;
    (void)setup;
    law->alpha = pcm_sqrt(5) * (law->damping == CLIPPED ? clipped_damping(e) : unclipped_damping(e));
    law->least = law->damping == UNCLIPPED ? -INFINITY : 0;
    return 0;
}

static double restitution(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double z = law->alpha / pcm_sqrt(5);
    (void)load;
    return law->damping == UNCLIPPED || z == 0 ? law->restitution : clipped_restitution(z);
}

static const char *const dampings[] = {"Clipped", "Unclipped", "ClippedNominal", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedModulus", "Pa", 1.1e11, "E* of both bodies; steel on steel has 1.1e11", PCM_ABOVE(0),
             .mix = PCM_MIX_MODULUS),
    PCM_REAL(Law, restitution, "Restitution", "1", 0.8, "e: speed after the impact over speed before", .min = 0.01,
             .max = 1, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, radius, "ReducedRadius", "m", 0, "1/R = 1/Ra + 1/Rb; 0: that of the objects", .min = 0),
    PCM_REAL(Law, mass, "ReducedMass", "kg", 0, "1/m = 1/ma + 1/mb; 0: that of the objects", .min = 0),
    PCM_CHOICE(Law, damping, "Damping", dampings, CLIPPED,
               "never pulls and returns e; the equation's own, which pulls; that one cut off, which returns more"),
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the bodies touch, or part"},
    {.name = "release", .doc = "they no longer push, still below the surface", .direction = -1},
};

static const pcm_derived derived[] = {
    {"restitution", "1", "that comes out, at any speed, mass and radius", restitution},
};

PCM_KERNELS(update);
PCM_MODEL(HertzTsuji, "Elastic bodies with a damper of constant restitution", .params = PCM_TABLE(params),
          .source = "Tsuji, Tanaka and Ishida, Powder Technology 71 (1992); Antypov and Elliott, EPL 94 (2011)",
          .equations =
              "fn = max(k d^1.5 + alpha sqrt(m k) d^0.25 d', 0),  k = 4/3 E* sqrt(R)\n" ELASTIC_SHAPES
              "The damper is alpha sqrt(2/3 m dfn/dd): on a flat, whose spring is linear, e = 0.5 returns 0.53,\n"
              "and the damper sets in at once.\n"
              "alpha = sqrt(5) z. Without the max, z = -ln e/sqrt(ln^2 e + pi^2) returns e exactly, and the body\n"
              "is held back before it leaves. Codes cut that pull off and keep z (ClippedNominal): e = 0.2 then\n"
              "returns 0.3249. Clipped, the default, takes the z of e = exp(-z T), T = atan2(2 z w, 2 z^2 - 1)/w,\n"
              "w = sqrt(1 - z^2), and returns e. Tsuji's paper has a curve where Antypov and Elliott have z; the\n"
              "polynomial that LAMMPS documents for it lacks a factor sqrt(2), which its code has. Holds while a is\n"
              "small against the bodies, of which nothing yields; e is fitted to impacts.\n",
          .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = ELASTIC_INPUTS | PCM_DEPTH_RATE | PCM_MASS,
          .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_SHARES | PCM_PATCH_RADIUS,
          .flags = PCM_ISOTROPIC | PCM_JUMPS | PCM_PULLS, .prepare = prepare);
