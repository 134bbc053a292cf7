/* SPDX-License-Identifier: MIT */
/* BrownMcPhee.c - smooth friction with a peak at a slip that a parameter sets: a part behind a normal law. */
#include <pcm/plugin.h>

typedef struct {
    double fixed, dynamic, transition, viscous, transition_force;
} Law;

/* mu(x) / x, with mu the coefficient of friction at a slip of x transition velocities. */
PCM_INLINE double friction_over_slip(const Law *law, double x)
{
    const double hill = 0.25 * x * x + 0.75;
    return 4 * law->dynamic * pcm_tanh_ratio(4 * x) + (law->fixed - law->dynamic) / (hill * hill);
}

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_transition = 1 / law.transition, per_force = 4 / law.transition_force;
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], load = pcm_ramp(b->load_n[i]);
        const double x = pcm_sqrt(vx * vx + vy * vy) * per_transition;
        const double drag =
            load * (friction_over_slip(&law, x) * per_transition) + law.viscous * pcm_tanh(per_force * load);
        b->force_x[i] = -drag * vx;
        b->force_y[i] = -drag * vy;
        if (b->reports) {
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

PCM_DERIVED(Law, rest_damping,
            load->force *friction_over_slip(law, 0) / law->transition +
                law->viscous * pcm_tanh(4 / law->transition_force * load->force));

static const pcm_param params[] = {
    PCM_REAL(Law, fixed, "StaticFriction", "1", 0.5, "mus: coefficient at the transition velocity", .min = 0,
             .flags = PCM_CONE, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, dynamic, "DynamicFriction", "1", 0.3, "mud: coefficient at high slip", .min = 0,
             .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, transition, "TransitionVelocity", "m/s", 1e-3, "vt: slip at which friction is greatest",
             PCM_ABOVE(0)),
    PCM_REAL(Law, viscous, "ViscousDamping", "N*s/m", 0, "sv: viscous friction, beyond the cone", .min = 0),
    PCM_REAL(Law, transition_force, "TransitionForce", "N", 1, "Nt: load from which viscous friction is full",
             PCM_ABOVE(0)),
};

static const pcm_derived derived[] = {
    {"rest_damping", "N*s/m", "slope of friction at rest under the load: explicit steps are stable below 2 m over it",
     rest_damping},
};

PCM_KERNELS(update);
PCM_MODEL(BrownMcPhee, "Smooth friction with Stribeck's peak at a given slip", .flags = PCM_ISOTROPIC,
          .source = "Brown and McPhee, J. Computational and Nonlinear Dynamics 11 (2016) 054502",
          .equations = "ft = -(mu(|v|/vt) N + sv |v| tanh(4 N/Nt)) v/|v|       N load of earlier parts, v slip\n"
                       "mu(x) = mud tanh(4 x) + (mus - mud) x/(x^2/4 + 3/4)^2\n"
                       "The paper's numbers are kept: tanh 4 is not quite 1, so that with mus = 0.5 and mud = 0.3 the\n"
                       "peak is 0.04% below mus and at x = 1.0052. SmoothSpringDamper has mus exactly at 1.\n"
                       "Holds for sliding that is faster than vt: at rest it creeps.\n",
          .params = PCM_TABLE(params), .derived = PCM_TABLE(derived), .inputs = PCM_SLIP | PCM_LOAD,
          .outputs = PCM_FRICTION | PCM_DISSIPATION | PCM_MODE, .prepare = prepare);
