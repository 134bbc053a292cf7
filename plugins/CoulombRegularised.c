/* SPDX-License-Identifier: MIT */
/* CoulombRegularised.c - Coulomb friction in which a steep slope replaces the jump at rest: a part behind a normal law.
 */
#include <pcm/plugin.h>

typedef struct {
    double  dynamic, fixed, transition, stribeck_velocity;
    int64_t form, stribeck;
    double  bump; /* what friction at rest has more than sliding friction */
} Law;

enum { TANH, LINEAR, ARCTAN, ROOT, STEP };

/* The share of the full friction at a slip of x transition velocities, divided by x. */
PCM_INLINE double rise(int form, double speed, double transition)
{
    const double x = speed / transition, inverse = 1 / x;
    switch (form) {
    case LINEAR:
        return x < 1 ? 1 : inverse;
    case ARCTAN:
        return 0x1.45f306dc9c883p-1 * (x > 0 ? pcm_atan2(speed, transition) * inverse : 1);
    case ROOT:
        return 1 / pcm_sqrt(1 + x * x);
    case STEP:
        return x < 1 ? 0.5 * (3 - x * x) : inverse;
    default:
        return pcm_tanh_ratio(x);
    }
}

PCM_INLINE void rub(const pcm_batch *b, int form)
{
    const Law    law = *(const Law *)b->params;
    const double per_transition = 1 / law.transition, per_stribeck = 1 / law.stribeck_velocity;
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], load = pcm_ramp(b->load_n[i]);
        const double speed = pcm_sqrt(vx * vx + vy * vy), y = speed * per_stribeck;
        const double mu = law.dynamic + law.bump * pcm_exp_falling(-y * y);
        const double drag = mu * load * rise(form, speed, law.transition) * per_transition;
        b->force_x[i] = -drag * vx;
        b->force_y[i] = -drag * vy;
        if (b->reports) {
            const int64_t touching = speed <= law.transition ? PCM_STICKING : PCM_SLIPPING;
            b->mode[i] = load > 0 ? touching : PCM_SEPARATED;
            b->dissipation[i] = drag * vx * vx + drag * vy * vy;
        }
    }
}

static void update(const pcm_batch *b)
{
    switch (((const Law *)b->params)->form) {
    case LINEAR:
        rub(b, LINEAR);
        break;
    case ARCTAN:
        rub(b, ARCTAN);
        break;
    case ROOT:
        rub(b, ROOT);
        break;
    case STEP:
        rub(b, STEP);
        break;
    default:
        rub(b, TANH);
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    if (law->stribeck && law->fixed < law->dynamic) {
        setup->report(setup, "StaticFriction", "must not be below Friction");
        return 1;
    }
    law->bump = law->stribeck ? law->fixed - law->dynamic : 0;
    return 0;
}

PCM_DERIVED(Law, rest_damping,
            load->force *(law->dynamic + law->bump) * rise((int)law->form, 0, law->transition) / law->transition);

static const char *const forms[] = {"Tanh", "Linear", "Arctan", "Root", "Step", NULL};

static const pcm_param params[] = {
    PCM_CHOICE(Law, form, "Form", forms, TANH, "how friction rises with the slip"),
    PCM_REAL(Law, dynamic, "Friction", "1", 0.5, "mud: coefficient of sliding", .min = 0, .flags = PCM_CONE,
             .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, transition, "TransitionVelocity", "m/s", 1e-3, "vt: slip at which friction is nearly or fully there",
             PCM_ABOVE(0)),
    PCM_SWITCH(Law, stribeck, "Stribeck", 0, "more friction at low slip"),
    PCM_REAL(Law, fixed, "StaticFriction", "1", 0.6, "mus: coefficient that slow slip tends to", .min = 0,
             .flags = PCM_CONE, .when = "Stribeck=true"),
    PCM_REAL(Law, stribeck_velocity, "StribeckVelocity", "m/s", 0.01, "vs: slip at which 1/e of the surplus is left",
             PCM_ABOVE(0), .when = "Stribeck=true"),
};

static const pcm_derived derived[] = {
    {"rest_damping", "N*s/m", "slope of friction at rest under the load: explicit steps are stable below 2 m over it",
     rest_damping},
};

PCM_KERNELS(update);
PCM_MODEL(CoulombRegularised, "Coulomb friction with a steep slope at rest", .flags = PCM_ISOTROPIC,
          .source =
              "Marques, Flores, Claro and Lankarani, Nonlinear Dynamics 86 (2016), reviews the forms; Stribeck's\n"
              "curve as in Bo and Pavelescu, Wear 82 (1982), with the exponent 2",
          .equations = "ft = -mu(|v|) r(|v|/vt) N v/|v|          N load of earlier parts, v slip\n"
                       "mu(v) = mud + (mus - mud) exp(-(v/vs)^2)  with Stribeck; mud without\n"
                       "Tanh   r(x) = tanh x\n"
                       "Linear r(x) = min(x, 1)\n"
                       "Arctan r(x) = (2/pi) atan x\n"
                       "Root   r(x) = x/sqrt(1 + x^2)\n"
                       "Step   r(x) = x (3 - x^2)/2 up to 1, then 1: the step of Adams from -vt to vt\n"
                       "None of them sticks: on a slope of angle a a body creeps with the v of mu r = tan a.\n"
                       "Holds for sliding that is faster than vt, dry and of one coefficient.\n",
          .params = PCM_TABLE(params), .derived = PCM_TABLE(derived), .inputs = PCM_SLIP | PCM_LOAD,
          .outputs = PCM_FRICTION | PCM_DISSIPATION | PCM_MODE, .prepare = prepare);
