/* SPDX-License-Identifier: MIT */
/* FrictionalAdhesion.c - a gecko's toe: it adheres in proportion to the pull along its own axis. */
#include <pcm/plugin.h>

typedef struct {
    double angle, shear, friction, stiffness, damping;
    double per_shear; /* normal pull that each newton of shear allows: tan of the angle */
} Law;

enum { STRETCH_X, STRETCH_Y };
enum { DETACH, SLIDE };

/* Heat from a spring whose stretch goes from `from` to `at` in a step: the damper's power while it sticks; while it
 * slides, the power less the gain in the spring's energy. Without a step, what is beyond the limit slides on or comes
 * back. */
PCM_INLINE double heat_of(double k, int64_t slides, double from, double at, double force, double speed, double per_dt)
{
    const double holding = (force - k * at) * speed,
                 sliding = force * speed + 0.5 * k * (from * from - at * at) * per_dt;
    const double freed = per_dt > 0 ? sliding : pcm_max(sliding, holding);
    return slides ? freed : holding;
}

static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double *zx = b->state[STRETCH_X], *zy = b->state[STRETCH_Y], k = law.stiffness, per_k = 1 / k;
    const double  dt = b->dt, per_dt = dt > 0 ? 1 / dt : 0;
    double       *next_x = b->next[STRETCH_X], *next_y = b->next[STRETCH_Y];
    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], vx = b->slip_x[i], vy = b->slip_y[i];
        const double axis_x = b->follower_axis_x[i], axis_y = b->follower_axis_y[i];
        const double length = pcm_length(axis_x, axis_y), per_length = 1 / pcm_max(length, DBL_MIN);
        const double ex = length > 0 ? axis_x * per_length : 1, ey = axis_y * per_length;
        const double sx = zx[i] + dt * vx, sy = zy[i] + dt * vy;
        const double va = ex * vx + ey * vy, vc = ex * vy - ey * vx;

        /* Along the axis, shear up to MaxShear is held without load; against and across it, only friction holds. */
        const double spring = k * d + law.damping * dd, load = d > 0 ? pcm_ramp(spring) : 0, grip = law.friction * load;
        const double most = pcm_max(law.shear, grip), a = ex * sx + ey * sy, c = ex * sy - ey * sx;
        const double na = pcm_clamp(a, -grip * per_k, most * per_k), nc = pcm_clamp(c, -grip * per_k, grip * per_k);
        const double fa = pcm_clamp(k * na + law.damping * va, -grip, most);
        const double fc = pcm_clamp(k * nc + law.damping * vc, -grip, grip);

        const double adhesion = law.per_shear * pcm_ramp(pcm_min(fa, law.shear)), held = pcm_max(spring, -adhesion);
        const double apart = pcm_min(held, 0);
        const double fn = d > 0 ? held : apart;
        b->force_n[i] = fn;
        b->force_x[i] = -(ex * fa - ey * fc);
        b->force_y[i] = -(ey * fa + ex * fc);
        const double  slid_x = ex * na - ey * nc, slid_y = ey * na + ex * nc;
        const int64_t slides = (na == a && nc == c) || dt == 0 ? 0 : 1;
        next_x[i] = slides ? slid_x : sx;
        next_y[i] = slides ? slid_y : sy;
        const int64_t ends = d > 0 ? PCM_LIVE : PCM_BROKEN, life = spring < -adhesion ? ends : PCM_LIVE;
        b->life[i] = life;
        if (b->reports) {
            const double along = pcm_min(most * per_k - a, a + grip * per_k);
            const double held_a = pcm_choose(dt > 0, na, a), held_c = pcm_choose(dt > 0, nc, c);
            const double heat_a = heat_of(k, na != a, a - dt * va, held_a, fa, va, per_dt);
            const double heat_c = heat_of(k, nc != c, c - dt * vc, held_c, fc, vc, per_dt);
            b->energy[i] = 0.5 * k * (d * d + held_a * held_a + held_c * held_c);
            b->dissipation[i] = life == PCM_LIVE ? (fn - k * d) * dd + heat_a + heat_c : 0;
            b->mode[i] = na == a && nc == c ? PCM_STICKING : PCM_SLIPPING;
            b->event[DETACH][i] = spring + adhesion;
            b->event[SLIDE][i] = pcm_min(along, grip * per_k - pcm_abs(c));
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    (void)setup;
    law->per_shear = pcm_sin(law->angle) / pcm_cos(law->angle);
    return 0;
}

PCM_DERIVED(Law, pull_off, law->per_shear * law->shear);

static double reach(const void *params) { return pull_off(params, NULL) / ((const Law *)params)->stiffness; }

static void shear(const void *params, double force_n, pcm_shear *set)
{
    const Law   *law = params;
    const double grip = law->friction * pcm_ramp(force_n);
    set->least = -pcm_max(law->shear, grip);
    set->most = force_n < 0 ? force_n / law->per_shear : grip;
    set->across = grip;
    set->shape = PCM_SHEAR_BOX;
}

static const pcm_param params[] = {
    PCM_REAL(Law, angle, "CriticalAngle", "rad", 0.52359877559829887,
             "alpha*: from the surface, of a pull that detaches", .min = 0, .max = 1.57),
    PCM_REAL(Law, shear, "MaxShear", "N", 10, "Fmax: shear along the axis that is held", PCM_ABOVE(0)),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "mu: coefficient against and across the axis", .min = 0),
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1000, "k: force per metre, along the normal and in the plane",
             PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "Damping", "N*s/m", 10, "b: force per m/s", .min = 0),
};

static const pcm_state states[] = {
    {.name = "stretch",
     .unit = "m",
     .doc = "of the spring in the plane",
     .nominal = 1e-3,
     .shape = PCM_TANGENT,
     .role = PCM_HISTORY,
     .swap = -1},
};

static const pcm_event events[] = {
    {.name = "detach", .doc = "the pull passes what shear allows", .direction = -1},
    {.name = "slide", .doc = "the toe begins to slide, or stops"},
};

static const pcm_derived derived[] = {
    {"pull_off", "N", "greatest pull along the normal, under full shear: tan(alpha*) Fmax", pull_off},
};

PCM_KERNELS(update);
PCM_MODEL(FrictionalAdhesion, "Toe of a gecko, which adheres while it is pulled along its axis",
          .source = "Autumn, Dittmore, Santos, Spenko and Cutkosky, J. Experimental Biology 209 (2006) 3569; Santos,\n"
                    "Spenko, Parness, Kim and Cutkosky, J. Adhesion Science and Technology 21 (2007) 1317",
          .equations =
              "FT shear along the follower's axis, above 0 where the toe is pulled that way; FN normal force\n"
              "FN >= -tan(alpha*) FT   for 0 <= FT <= Fmax\n"
              "|FT| <= mu FN           against the axis, and across it\n"
              "Springs k with dampers b hold the toe; what leaves the set slides, or detaches where the normal\n"
              "force does. The papers have two directions; friction across the axis is added. The sign of the\n"
              "axis matters: a toe that is mounted the wrong way round falls off.\n"
              "Holds for slow pulls on a clean wall: alpha* and the strengths are measured on the pad.\n",
          .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
          .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP | PCM_AXES,
          .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE | PCM_MODE,
          .flags = PCM_ISOTROPIC | PCM_PULLS | PCM_JUMPS, .prepare = prepare, .reach = reach, .shear = shear);
