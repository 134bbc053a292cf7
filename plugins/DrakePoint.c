/* SPDX-License-Identifier: MIT */
/* DrakePoint.c - Drake's compliant point contact: a spring with Hunt and Crossley's damping, and friction that reaches
 * its full value at the stiction tolerance. */
#include "rebound.h"

typedef struct {
    double stiffness, dissipation, fixed, dynamic, tolerance;
} Law;

enum { TOUCH_DOWN, RELEASE, SLIDE };

/* (x^3 (10 - 15 x + 6 x^2)) / x, for x from 0 to 1. */
PCM_INLINE double step_over(double x) { return x * x * (10 + x * (6 * x - 15)); }

/* mu(s) / s, with mu the coefficient of friction at a slip of s stiction tolerances. */
PCM_INLINE double friction_over_slip(const Law *law, double s)
{
    const double at = s > 1 ? 1 : s, late = 0.5 * (s - 1), x = late < 0 ? 0 : late > 1 ? 1 : late;
    const double inverse = 1 / pcm_max(s, 1);
    const double beyond = law->fixed - (law->fixed - law->dynamic) * (x * step_over(x));
    return (s < 1 ? law->fixed : beyond) * (step_over(at) * inverse);
}

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_tolerance = 1 / law.tolerance;
    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], vx = b->slip_x[i], vy = b->slip_y[i];
        const double depth = pcm_ramp(d), spring = law.stiffness * depth;
        const double fn = spring * pcm_ramp(1 + law.dissipation * dd);
        const double s = pcm_sqrt(vx * vx + vy * vy) * per_tolerance;
        const double drag = fn * (friction_over_slip(&law, s) * per_tolerance);
        b->force_n[i] = fn;
        b->force_x[i] = -drag * vx;
        b->force_y[i] = -drag * vy;
        b->elastic_n[i] = spring;
        b->adhesive_n[i] = 0;
        b->pull_off[i] = 0;
        if (b->reports) {
            const int64_t touching = s <= 1 ? PCM_STICKING : PCM_SLIPPING;
            b->mode[i] = fn > 0 ? touching : PCM_SEPARATED;
            /* When the surfaces part faster than the spring can follow, its energy goes into its own damper. */
            const double normal = fn > 0 ? spring * law.dissipation * dd * dd : -spring * dd;
            b->energy[i] = 0.5 * depth * spring;
            b->dissipation[i] = normal + drag * vx * vx + drag * vy * vy;
            b->event[TOUCH_DOWN][i] = d;
            b->event[RELEASE][i] = 1 + law.dissipation * dd;
            b->event[SLIDE][i] = s - 1;
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    const Law *law = params;
    if (law->fixed >= law->dynamic)
        return 0;
    setup->report(setup, "StaticFriction", "must not be below DynamicFriction");
    return 1;
}

PCM_DERIVED(Law, compression, load->force / law->stiffness);
PCM_DERIVED(Law, lift_off_speed, 1 / law->dissipation);
PCM_DERIVED(Law, restitution, rebound(law->dissipation * load->speed));

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "k: force per metre of depth", PCM_ABOVE(0)),
    PCM_REAL(Law, dissipation, "HuntCrossleyDissipation", "s/m", 1, "d: share of the force per m/s of approach",
             .min = 0),
    PCM_REAL(Law, fixed, "StaticFriction", "1", 0.5, "mus: coefficient at the stiction tolerance", .min = 0,
             .flags = PCM_CONE, .mix = PCM_MIX_HARMONIC),
    PCM_REAL(Law, dynamic, "DynamicFriction", "1", 0.3, "mud: coefficient from three tolerances on", .min = 0,
             .mix = PCM_MIX_HARMONIC),
    PCM_REAL(Law, tolerance, "StictionTolerance", "m/s", 1e-3, "vs: slip at which friction is full", PCM_ABOVE(0)),
};

static const pcm_event events[] = {
    {.name = "touch-down", .doc = "the surfaces meet, or part"},
    {.name = "release", .doc = "they part so fast that nothing pushes, or no longer"},
    {.name = "slide", .doc = "the slip passes the stiction tolerance"},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load, on one point", compression},
    {"lift_off_speed", "m/s", "1/d: speed of parting from which nothing pushes", lift_off_speed},
    {"restitution", "1", "of an impact with that speed, whatever its mass", restitution},
};

PCM_KERNELS(update);
PCM_MODEL(DrakePoint, "Compliant point contact of Drake", .flags = PCM_ISOTROPIC,
          .source = "Drake, MultibodyPlant, compliant point contact and its Stribeck friction",
          .equations =
              "fn = k d max(1 + d' dissipation, 0)          d depth, d' depth rate, v slip, s = |v|/vs\n"
              "ft = -mu fn v/|v|\n"
              "mu = mus S(s)                               s < 1,  S(x) = x^3 (10 - 15 x + 6 x^2)\n"
              "mu = mus - (mus - mud) S((s - 1)/2)         1 <= s < 3\n"
              "mu = mud                                    beyond\n"
              "Friction has no slope at rest, so that a body on a slope creeps faster than with a tanh. Drake\n"
              "itself takes mud = mus in its discrete solvers, and mixes coefficients as 2 a b/(a + b).\n"
              "Holds for points of contact with a stiffness of their own, whatever the size of the bodies.\n",
          .params = PCM_TABLE(params), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP,
          .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE | PCM_SHARES, .prepare = prepare);
