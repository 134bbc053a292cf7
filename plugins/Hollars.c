/* SPDX-License-Identifier: MIT */
/* Hollars.c - the friction of Simbody and OpenSim, which is greatest at the transition velocity: a part behind a normal
 * law. */
#include <pcm/plugin.h>

typedef struct {
    double fixed, dynamic, viscous, transition;
} Law;

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_transition = 1 / law.transition, bump = 2 * (law.fixed - law.dynamic);
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], load = pcm_ramp(b->load_n[i]);
        const double x = pcm_sqrt(vx * vx + vy * vy) * per_transition, inverse = 1 / x;
        const double rise = (x < 1 ? 1 : inverse) * per_transition;
        const double drag = load * (rise * (law.dynamic + bump / (1 + x * x)) + law.viscous);
        b->force_x[i] = -drag * vx;
        b->force_y[i] = -drag * vy;
        if (b->reports) {
            b->event[0][i] = x - 1;
            const int64_t touching = x <= 1 ? PCM_STICKING : PCM_SLIPPING;
            b->mode[i] = load > 0 ? touching : PCM_SEPARATED;
            b->dissipation[i] = drag * vx * vx + drag * vy * vy;
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

PCM_DERIVED(Law, rest_damping, load->force *((2 * law->fixed - law->dynamic) / law->transition + law->viscous));

static const pcm_param params[] = {
    PCM_REAL(Law, fixed, "StaticFriction", "1", 0.5, "mus: coefficient at the transition velocity", .min = 0,
             .flags = PCM_CONE, .mix = PCM_MIX_HARMONIC),
    PCM_REAL(Law, dynamic, "DynamicFriction", "1", 0.3, "mud: coefficient at high slip", .min = 0,
             .mix = PCM_MIX_HARMONIC),
    PCM_REAL(Law, viscous, "ViscousFriction", "s/m", 0, "muv: more coefficient per m/s, beyond the cone", .min = 0,
             .mix = PCM_MIX_HARMONIC),
    PCM_REAL(Law, transition, "TransitionVelocity", "m/s", 0.01, "vt: slip at which friction is greatest",
             PCM_ABOVE(0)),
};

static const pcm_event events[] = {
    {.name = "transition", .doc = "the slip passes the transition velocity, where friction has a kink"},
};

static const pcm_derived derived[] = {
    {"rest_damping", "N*s/m", "slope of friction at rest under the load: explicit steps are stable below 2 m over it",
     rest_damping},
};

PCM_KERNELS(update);
PCM_MODEL(Hollars, "Friction of Simbody and OpenSim", .flags = PCM_ISOTROPIC,
          .source = "Simbody, HuntCrossleyForce, after a method of Hollars",
          .equations = "ft = -mu N v/|v|                                      N load of earlier parts, v slip\n"
                       "mu = min(x, 1) (mud + 2 (mus - mud)/(1 + x^2)) + muv |v|,   x = |v|/vt\n"
                       "mu is exactly mus at x = 1, where it has a kink. Simbody mixes each coefficient of two\n"
                       "materials as 2 a b/(a + b).\n"
                       "Holds for sliding that is faster than vt: at rest it creeps.\n",
          .params = PCM_TABLE(params), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .inputs = PCM_SLIP | PCM_LOAD, .outputs = PCM_FRICTION | PCM_DISSIPATION | PCM_MODE, .prepare = prepare);
