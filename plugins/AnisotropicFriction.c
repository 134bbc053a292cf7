/* SPDX-License-Identifier: MIT */
/* AnisotropicFriction.c - friction that differs along and across an axis of a body, and along it forwards and
 * backwards: a part behind a normal law. */
#include <pcm/plugin.h>

typedef struct {
    double  forward, backward, across, transition;
    int64_t side, collinear;
} Law;

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_transition = 1 / law.transition;
    const int    of_base = law.side != 0, collinear = law.collinear != 0;
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], load = pcm_ramp(b->load_n[i]);
        const double axis_x = pcm_choose(of_base, b->base_axis_x[i], b->follower_axis_x[i]);
        const double axis_y = pcm_choose(of_base, b->base_axis_y[i], b->follower_axis_y[i]);
        const double length = pcm_length(axis_x, axis_y), per_length = length > 0 ? 1 / length : 0;
        const double ex = length > 0 ? axis_x * per_length : 1, ey = axis_y * per_length;
        const double speed = pcm_length(vx, vy), per_speed = 1 / pcm_max(speed, DBL_MIN);
        const double glide = (ex * vx + ey * vy) * per_speed, skid = (ex * vy - ey * vx) * per_speed;
        const double mu = glide > 0 ? law.forward : law.backward, full = load * pcm_tanh(speed * per_transition);

        /* From the ellipse of friction: the force that dissipates most, or the force directly against the slip. */
        const double per_power = 1 / pcm_max(pcm_length(mu * glide, law.across * skid), PCM_TINY);
        const double per_span = 1 / pcm_max(pcm_length(law.across * glide, mu * skid), PCM_TINY);
        const double straight = mu * law.across * per_span;
        const double fa = full * glide * pcm_choose(collinear, straight, mu * mu * per_power);
        const double fc = full * skid * pcm_choose(collinear, straight, law.across * law.across * per_power);
        const double fx = ey * fc - ex * fa, fy = -ey * fa - ex * fc;
        b->force_x[i] = fx;
        b->force_y[i] = fy;
        if (b->reports) {
            const int64_t touching = speed <= law.transition ? PCM_STICKING : PCM_SLIPPING;
            b->mode[i] = load > 0 ? touching : PCM_SEPARATED;
            b->dissipation[i] = -(fx * vx + fy * vy);
        }
    }
}

/* The force on a body that turns past an axis of an ellipse without width would jump. */
static int prepare(const pcm_setup *setup, void *params)
{
    const Law   *law = params;
    const double small = pcm_min(pcm_min(law->forward, law->backward), law->across);
    if (small > 0 || pcm_max(pcm_max(law->forward, law->backward), law->across) == 0)
        return 0;
    setup->report(setup,
                  law->forward == 0    ? "ForwardFriction"
                  : law->backward == 0 ? "BackwardFriction"
                                       : "AcrossFriction",
                  "must be above 0, or all three must be 0: write a small one, such as 0.001");
    return 1;
}

static void shear(const void *params, double force_n, pcm_shear *set)
{
    const Law   *law = params;
    const double load = pcm_ramp(force_n);
    set->least = -law->forward * load;
    set->most = law->backward * load;
    set->across = law->across * load;
    set->axis = law->side ? PCM_SHEAR_BASE : PCM_SHEAR_FOLLOWER;
}

static const char *const sides[] = {"Follower", "Base", NULL};
static const char *const rules[] = {"Associated", "Collinear", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, forward, "ForwardFriction", "1", 0.2, "mu1: coefficient of slip along the axis", .min = 0,
             .flags = PCM_CONE),
    PCM_REAL(Law, backward, "BackwardFriction", "1", 0.5, "the same against the axis", .min = 0, .flags = PCM_CONE),
    PCM_REAL(Law, across, "AcrossFriction", "1", 0.7, "mu2: coefficient of slip across the axis", .min = 0,
             .flags = PCM_CONE),
    PCM_REAL(Law, transition, "TransitionVelocity", "m/s", 1e-3, "vt: slip at which three quarters are there",
             PCM_ABOVE(0)),
    PCM_CHOICE(Law, side, "Side", sides, 0, "whose axis it is; which of its axes: FollowerAxis or BaseAxis"),
    PCM_CHOICE(Law, collinear, "SlidingRule", rules, 0, "friction of most power in the ellipse, or against the slip"),
};

PCM_KERNELS(update);
PCM_MODEL(
    AnisotropicFriction, "Friction by direction: along an axis of a body, against it, and across",
    .source = "Michalowski and Mroz, Archives of Mechanics 30 (1978) 259; Zmitrowicz, Wear 73 (1981) 9; a coefficient\n"
              "for each sense as for snakes, Hu et al., PNAS 106 (2009) 10081",
    .equations = "The feasible set is an ellipse, (fa/(mu1 N))^2 + (fc/(mu2 N))^2 <= 1, with a half of its own for\n"
                 "slip against the axis.      va, vc slip of the follower along and across, N load of earlier parts\n"
                 "Associated  (fa, fc) = -N tanh(|v|/vt) (mu1^2 va, mu2^2 vc)/sqrt(mu1^2 va^2 + mu2^2 vc^2)\n"
                 "Collinear   (fa, fc) = -N tanh(|v|/vt) mu1 mu2 (va, vc)/sqrt(mu2^2 va^2 + mu1^2 vc^2)\n"
                 "mu1 is ForwardFriction for va > 0 and BackwardFriction for va < 0. Associated friction turns a body\n"
                 "that slides askew towards its easy direction; Collinear friction only slows it. va is of the\n"
                 "follower's slip, also where the axis is the base's. pcm cone prints the ellipse; in scenes it takes\n"
                 "the largest coefficient, a cone around the ellipse: to plan footholds, give it the smallest.\n"
                 "Holds for dry sliding whose coefficients depend on direction alone; at rest it creeps.\n",
    .params = PCM_TABLE(params), .inputs = PCM_SLIP | PCM_LOAD | PCM_AXES,
    .outputs = PCM_FRICTION | PCM_DISSIPATION | PCM_MODE, .flags = PCM_ISOTROPIC, .prepare = prepare, .shear = shear);
