/* SPDX-License-Identifier: MIT */
/* SmoothSphereHalfSpace.c - a sphere on a half-space with no kink in the normal force, for optimal control of gait. */
#include "elastic.h"

typedef struct {
    double  modulus, dissipation, fixed, dynamic, viscous, transition, constant, slip_constant, by_depth, by_rate;
    int64_t literal;
    double  scale, still; /* 4/3 kappa^1.5; parting speed at which damping cancels the force */
} Law;

/* (1 + tanh x)/2, accurate also where it is small. */
PCM_INLINE double onset(double x) { return 1 / (1 + pcm_exp(-2 * x)); }

PCM_INLINE void press(const pcm_batch *b, const Law *from, int needs)
{
    const Law    law = *from;
    const double floor = law.literal ? -INFINITY : 0, per_transition = 1 / law.transition;
    const double bump = 2 * (law.fixed - law.dynamic), at_rest = onset(law.by_rate * law.still);
    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], vx = b->slip_x[i], vy = b->slip_y[i];
        const double q = d * d + law.constant;
        const double hertz =
            law.scale * pcm_sqrt(elastic_radius(ELASTIC_GAP(b, i), 0, needs)) * pcm_sqrt(q * pcm_sqrt(q));
        const double spring = hertz * onset(law.by_depth * d);
        const double damped = spring * (1 + 1.5 * law.dissipation * dd);
        const double fn = pcm_max(damped * onset(law.by_rate * (dd + law.still)), floor);

        const double speed = pcm_sqrt(vx * vx + vy * vy + law.slip_constant);
        const double x = speed * per_transition, inverse = 1 / x;
        const double rise = (x < 1 ? 1 : inverse) * per_transition;
        const double drag = pcm_ramp(fn) * (rise * (law.dynamic + bump / (1 + x * x)) + law.viscous);
        b->force_n[i] = fn;
        b->force_x[i] = -drag * vx;
        b->force_y[i] = -drag * vy;
        if (b->reports)
            b->dissipation[i] = (fn - at_rest * spring) * dd + (drag * vx * vx + drag * vy * vy);
    }
}

ELASTIC_UPDATE(press, 0, ELASTIC_ELLIPSES)

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    if (law->fixed < law->dynamic) {
        setup->report(setup, "StaticFriction", "must not be below DynamicFriction");
        return 1;
    }
    law->scale = 4.0 / 3 * law->modulus / (2 * pcm_sqrt(2));
    law->still = 2 / (3 * law->dissipation);
    return 0;
}

/* Beyond this gap the force is below 1e-12 of that at an equal depth inside the half-space. */
static double reach(const void *params) { return 14 / ((const Law *)params)->by_depth; }

PCM_DERIVED(Law, touch_force, 0.5 * law->scale * pcm_sqrt(load->radius) * pcm_pow(law->constant, 0.75));

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "PlaneStrainModulus", "Pa", 1e6, "E/(1 - nu^2) of the pair, of sphere and half-space alike",
             PCM_ABOVE(0)),
    PCM_REAL(Law, dissipation, "Dissipation", "s/m", 2, "c: of Hunt and Crossley", .min = 0),
    PCM_REAL(Law, fixed, "StaticFriction", "1", 0.8, "mus: coefficient at the transition velocity", .min = 0),
    PCM_REAL(Law, dynamic, "DynamicFriction", "1", 0.8, "mud: coefficient at high slip", .min = 0),
    PCM_REAL(Law, viscous, "ViscousFriction", "s/m", 0.5, "muv: more coefficient per m/s", .min = 0),
    PCM_REAL(Law, transition, "TransitionVelocity", "m/s", 0.2, "vt: slip at which friction is greatest", PCM_ABOVE(0)),
    PCM_REAL(Law, constant, "ConstantContactForce", "m^2", 1e-5,
             "cf: keeps the root smooth; added to the square of the depth", .min = 0),
    PCM_REAL(Law, slip_constant, "ConstantSlip", "m^2/s^2", 1e-5,
             "cv: the same for the square of the slip; in the paper it is the number cf", .min = 0),
    PCM_REAL(Law, by_depth, "HertzSmoothing", "1/m", 300, "bd: steepness of the onset", PCM_ABOVE(0)),
    PCM_REAL(Law, by_rate, "HuntCrossleySmoothing", "s/m", 50, "bv: steepness of the end of fast parting",
             PCM_ABOVE(0)),
    PCM_SWITCH(Law, literal, "Literal", 0,
               "as printed: it pulls a little, without friction, on what parts faster than 2/(3 c)"),
};

static const pcm_derived derived[] = {{"touch_force", "N", "where the surfaces meet slowly", touch_force}};

PCM_KERNELS(update);
PCM_MODEL(
    SmoothSphereHalfSpace, "Sphere on a half-space with a smooth onset, for optimal control",
    .source = "Serrancoli, Falisse, Dembia, Vantilt, Tanghe, Lefeber, Jonkers, De Schutter and De Groote,\n"
              "IEEE Trans. Neural Systems and Rehabilitation Engineering 27 (2019) 1597; OpenSim",
    .equations = "fh = 4/3 k sqrt(R k) (d^2 + cf)^(3/4) (1 + tanh(bd d))/2,  k = E^(2/3)/2   d depth, R radius\n"
                 "fn = fh (1 + 3/2 c d') (1 + tanh(bv (d' + 2/(3 c))))/2                 d' depth rate\n"
                 "ft = -fn (min(x, 1) (mud + 2 (mus - mud)/(1 + x^2)) + muv s) v/s,  s = sqrt(|v|^2 + cv), x = s/vt\n"
                 "It pushes above the ground too: at d = 0 with half of (4/3) k sqrt(R k) cf^(3/4). The contact\n"
                 "begins and lives up to a gap of 14/bd, where 1e-12 of that is left. In the paper one number is\n"
                 "cf and cv. The program divides by c; here c = 0 is the limit without damping. Its stored\n"
                 "energy has no closed form, and is not reported.\n"
                 "Holds for points of contact, where a smooth force matters more than the true one at small\n"
                 "depths. Between bodies of one modulus it is 0.707 of Hertz, whose E* is half of E/(1 - nu^2).\n",
    .params = PCM_TABLE(params), .derived = PCM_TABLE(derived), .inputs = ELASTIC_POINTS | PCM_DEPTH_RATE | PCM_SLIP,
    .outputs = PCM_FRICTION | PCM_DISSIPATION, .flags = PCM_ISOTROPIC | PCM_POINTS | PCM_JUMPS | PCM_PULLS,
    .prepare = prepare, .reach = reach, .onset = reach);
