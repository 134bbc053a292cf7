/* SPDX-License-Identifier: MIT */
/* SmoothSpringDamper.c - spring and damper with a smooth onset, and smooth stick-slip friction. */
#include <pcm/plugin.h>
#include <stdbool.h>

typedef struct {
    double  stiffness, damping, width;
    double  friction_static, friction_dynamic, critical_velocity;
    int64_t normal, smoothing, friction;
} Law;

enum { SMOOTH_SPRING_DAMPER, NORMAL_INPUT };
enum { CUBIC, QUINTIC };
enum { SMOOTH_STICK_SLIP, NO_FRICTION, FRICTION_INPUT };
enum { INPUT_N, INPUT_X, INPUT_Y };
enum { TOUCH_DOWN, RELEASE };

/* mu(x) / x, which needs no division at rest: mu is the coefficient of friction, x = |v|/vc the relative slip, q = x^2.
 *
 * mu(x) = mus h + mud (g - h), with h = x exp((1 - x^2)/2) and g rising from 0 to 1 at x = 1. There h is 1 and both
 * slopes are zero: mu(1) is exactly mus and the greatest value. For large x, mu tends to mud. */
PCM_INLINE double friction_over_slip(const Law *law, double q)
{
    const double h = pcm_exp_falling(0.5 * (1 - q)), far = 1 / pcm_sqrt(q);
    const double g = q < 1 ? (15 - 10 * q + 3 * q * q) * 0.125 : far;
    return law->friction_static * h + law->friction_dynamic * (g - h);
}

/* Coefficients of an onset s(t) = t^2 (a + b t + c t^2 + d t^3), and of the integral of t s(t), divided by t^4. */
typedef struct {
    double force[4], energy[4];
} Shape;

static const Shape shapes[] = {
    [CUBIC] = {{3, -2, 0, 0}, {0.75, -0.4, 0, 0}},
    [QUINTIC] = {{0, 10, -15, 6}, {0, 2, -2.5, 6.0 / 7}},
};

PCM_INLINE double sum(const double a[4], double t) { return a[0] + t * (a[1] + t * (a[2] + t * a[3])); }

/* host_input_n and given_f are constants at every call: a select between computed and given forces would make loads
 * conditional, and no compiler vectorises those. */
PCM_INLINE void push(const pcm_batch *b, bool host_input_n, bool given_f)
{
    const Law    law = *(const Law *)b->params;
    const Shape  shape = shapes[law.smoothing];
    const double slides = law.friction == SMOOTH_STICK_SLIP;
    const double per_width = 1 / law.width, per_critical = 1 / law.critical_velocity;
    const double stick_up_to = slides > 0 ? 1 : -1;

    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], vx = b->slip_x[i], vy = b->slip_y[i];
        const double pressed = pcm_ramp(d);
        const double ratio = pressed * per_width, t = ratio > 1 ? 1 : ratio;
        const double smooth = t * t * sum(shape.force, t);
        const double open = d <= 0 ? 0 : 1;
        const double push_n = host_input_n ? pcm_ramp(b->host_inputs[INPUT_N][i])
                                           : smooth * pcm_ramp(law.stiffness * d + law.damping * dd);
        const double fn = open * push_n;

        const double ux = vx * per_critical, uy = vy * per_critical;
        const double q = ux * ux + uy * uy, mu = friction_over_slip(&law, q);
        const double rub_x = slides > 0 ? -fn * (mu * ux) : 0, rub_y = slides > 0 ? -fn * (mu * uy) : 0;
        b->force_n[i] = fn;
        b->force_x[i] = given_f ? open * b->host_inputs[INPUT_X][i] : rub_x;
        b->force_y[i] = given_f ? open * b->host_inputs[INPUT_Y][i] : rub_y;
        if (b->reports) {
            const int64_t touching = q <= stick_up_to ? PCM_STICKING : PCM_SLIPPING;
            b->mode[i] = fn > 0 ? touching : PCM_SEPARATED;

            /* k w^2 times the integral of t s(t) within the transition, plus k d^2/2 beyond it; zero if the host
             * pushes. When the surfaces part faster than the spring can follow, its energy goes into its own damper. */
            const double inner = t * t * t * t * sum(shape.energy, t);
            const double stored = law.stiffness * law.width * law.width * (inner + 0.5 * (ratio * ratio - t * t));
            const double damped = smooth * law.damping * dd * dd, relaxed = -smooth * law.stiffness * pressed * dd;
            const double lost = fn > 0 ? damped : relaxed;
            b->energy[i] = host_input_n ? 0 : stored;
            b->dissipation[i] = (host_input_n ? 0 : lost) - (rub_x * vx + rub_y * vy);

            /* Positive exactly while it touches, and continuous where the surfaces part. */
            const double touch = law.stiffness * d + (host_input_n ? 0 : pcm_min(law.damping * dd, 0));
            b->event[TOUCH_DOWN][i] = touch;
            b->event[RELEASE][i] = touch;
        }
    }
}

static void update(const pcm_batch *b)
{
    const Law *law = b->params;
    const bool host_input_n = law->normal == NORMAL_INPUT, given_f = law->friction == FRICTION_INPUT;
    if (host_input_n && given_f)
        push(b, true, true);
    else if (host_input_n)
        push(b, true, false);
    else if (given_f)
        push(b, false, true);
    else
        push(b, false, false);
}

static double compression(const void *params, const pcm_load *load)
{
    const Law   *law = params;
    const double wanted = load->force / (law->stiffness * law->width);
    double       low = 0, high = 1;
    if (law->normal == NORMAL_INPUT)
        return NAN;
    if (wanted >= 1)
        return load->force / law->stiffness;
    /* Within the transition the force t s(t) rises from 0 to 1: bisects to the last bit. */
    for (int step = 0; step < 60; step++) {
        const double t = 0.5 * (low + high);
        const double s = t * t * sum(shapes[law->smoothing].force, t);
        if (t * s < wanted)
            low = t;
        else
            high = t;
    }
    return high * law->width;
}

PCM_DERIVED(Law, transition_force, law->normal == NORMAL_INPUT ? NAN : law->stiffness * law->width);

static const char *const normal_methods[] = {"SmoothSpringDamper", "ProvidedByInput", NULL};
static const char *const smoothings[] = {"Cubic", "Quintic", NULL};
static const char *const friction_methods[] = {"SmoothStickSlip", "None", "ProvidedByInput", NULL};

static const pcm_param params[] = {
    PCM_CHOICE(Law, normal, "NormalMethod", normal_methods, SMOOTH_SPRING_DAMPER, "where the normal force comes from"),
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e6, "k: force per metre of depth", PCM_ABOVE(0),
             .when = "NormalMethod=SmoothSpringDamper"),
    PCM_REAL(Law, damping, "Damping", "N*s/m", 1e3, "b: force per m/s of approach", .min = 0,
             .when = "NormalMethod=SmoothSpringDamper"),
    PCM_REAL(Law, width, "TransitionRegionWidth", "m", 1e-4, "w: depth over which spring and damper set in",
             PCM_ABOVE(0), .when = "NormalMethod=SmoothSpringDamper"),
    PCM_CHOICE(Law, smoothing, "Smoothing", smoothings, CUBIC, "shape of the onset, once or twice differentiable",
               .when = "NormalMethod=SmoothSpringDamper"),
    PCM_CHOICE(Law, friction, "FrictionMethod", friction_methods, SMOOTH_STICK_SLIP, "where friction comes from"),
    PCM_REAL(Law, friction_static, "CoefficientOfStaticFriction", "1", 0.5,
             "mus: coefficient at the critical velocity, where it is greatest", .min = 0,
             .flags = PCM_OPEN_MIN | PCM_CONE, .when = "FrictionMethod=SmoothStickSlip"),
    PCM_REAL(Law, friction_dynamic, "CoefficientOfDynamicFriction", "1", 0.3, "mud: coefficient at high slip", .min = 0,
             .flags = PCM_CONE, .when = "FrictionMethod=SmoothStickSlip"),
    PCM_REAL(Law, critical_velocity, "CriticalVelocity", "m/s", 1e-3, "vc: slip at which friction is greatest",
             PCM_ABOVE(0), .when = "FrictionMethod=SmoothStickSlip"),
};

static const pcm_host_input host_inputs[] = {
    {.name = "input_n",
     .unit = "N",
     .doc = "normal force; below zero counts as zero",
     .when = "NormalMethod=ProvidedByInput",
     .shape = PCM_SCALAR},
    {.name = "input",
     .unit = "N",
     .doc = "friction on the follower, in the contact frame",
     .when = "FrictionMethod=ProvidedByInput",
     .shape = PCM_TANGENT},
};

static const pcm_event events[] = {
    {.name = "touch-down", .doc = "the surfaces begin to push", .direction = 1},
    {.name = "release", .doc = "the surfaces no longer push", .direction = -1},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load, on one point", compression},
    {"transition_force", "N", "k w: the static load above which the spring is linear", transition_force},
};

PCM_KERNELS(update);
PCM_MODEL(
    SmoothSpringDamper, "Spring and damper with a smooth onset, and smooth stick-slip friction",
    .source = "MathWorks, Simscape Multibody: Spatial Contact Force (R2019b); the onset's polynomial and the "
              "friction curve, which it does not print, are PCM's",
    .equations =
        "fn = max(s(d/w) (k d + b d'), 0) for d > 0     d depth, d' depth rate\n"
        "s(t) = 3 t^2 - 2 t^3 (Cubic) or 6 t^5 - 15 t^4 + 10 t^3 (Quintic) for t < 1, else 1\n"
        "ft = -mu(|v|/vc) fn v/|v|                      v slip\n"
        "mu(x) = mus h + mud (g - h)\n"
        "h = x exp((1 - x^2)/2),  g = x (15 - 10 x^2 + 3 x^4)/8 for x < 1, else 1\n"
        "mu vanishes smoothly at rest, is mus exactly at x = 1, flat and greatest there, and tends to mud; it is\n"
        "never negative. With mus < mud the value at x = 1 is still mus, but no longer the greatest.\n"
        "Friction never sticks: under a pull p fn a point creeps at x vc, where mu(x) = p. The onset takes\n"
        "0.15 k w^2 (Cubic) or k w^2/7 (Quintic) off the energy k d^2/2 that a spring would store.\n"
        "ProvidedByInput takes the forces from the host, while d > 0; friction given so is not limited.\n"
        "Holds for pads and links with a measured stiffness; friction for slip faster than vc.\n",
    .params = PCM_TABLE(params), .host_inputs = PCM_TABLE(host_inputs), .events = PCM_TABLE(events),
    .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP,
    .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE, .flags = PCM_ISOTROPIC);
