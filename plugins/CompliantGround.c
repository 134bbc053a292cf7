/* SPDX-License-Identifier: MIT */
/* CompliantGround.c - nonlinear spring-damper ground for points, with a ground that also gives way sideways. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, damping, friction;
    double recovery; /* K/D, 1/s; 0 without damping, when there is nothing to recover */
    double fluidity; /* 1/D, likewise */
} Law;

enum { STRETCH_X, STRETCH_Y };
enum { TOUCH_DOWN, RELEASE, STICK_SLIP };

/* Columns of the Jacobian. */
enum { N_DEPTH, N_DEPTH_RATE };
enum { X_DEPTH = 2, X_DEPTH_RATE, X_SLIP_X, X_SLIP_Y, X_STRETCH_X, X_STRETCH_Y };
enum { Y_DEPTH = 8, Y_DEPTH_RATE, Y_SLIP_X, Y_SLIP_Y, Y_STRETCH_X, Y_STRETCH_Y };
enum { N_SLIP_X = 14, N_SLIP_Y };

static const pcm_partial partials[] = {
    [N_DEPTH] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH},
    [N_DEPTH_RATE] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH_RATE},
    [X_DEPTH] = {PCM_OUTPUT_FORCE_X, PCM_WRT_DEPTH},
    [X_DEPTH_RATE] = {PCM_OUTPUT_FORCE_X, PCM_WRT_DEPTH_RATE},
    [X_SLIP_X] = {PCM_OUTPUT_FORCE_X, PCM_WRT_SLIP_X},
    [X_SLIP_Y] = {PCM_OUTPUT_FORCE_X, PCM_WRT_SLIP_Y},
    [X_STRETCH_X] = {PCM_OUTPUT_FORCE_X, PCM_WRT_STATE + STRETCH_X},
    [X_STRETCH_Y] = {PCM_OUTPUT_FORCE_X, PCM_WRT_STATE + STRETCH_Y},
    [Y_DEPTH] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_DEPTH},
    [Y_DEPTH_RATE] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_DEPTH_RATE},
    [Y_SLIP_X] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_SLIP_X},
    [Y_SLIP_Y] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_SLIP_Y},
    [Y_STRETCH_X] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_STATE + STRETCH_X},
    [Y_STRETCH_Y] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_STATE + STRETCH_Y},
    [N_SLIP_X] = {PCM_OUTPUT_FORCE_N, PCM_WRT_SLIP_X},
    [N_SLIP_Y] = {PCM_OUTPUT_FORCE_N, PCM_WRT_SLIP_Y},
};

/* Partial derivatives of the forces; those of the rates are left to finite differences. */
static void slopes(const pcm_batch *b, const Law *law)
{
    double *const *j = b->jacobian;
    const double   by_slip = law->stiffness * b->dt + law->damping; /* of the pull, which includes the step's slip */

    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], vx = b->slip_x[i], vy = b->slip_y[i];
        const double root = pcm_sqrt(pcm_ramp(d)), grip = law->stiffness * d + law->damping * dd, fn = root * grip;
        const double half = fn > 0 ? 0.5 / root : 0; /* d(root)/d(depth) */
        const double on = fn > 0 ? root : 0;
        const double by_depth = half * grip + on * law->stiffness, by_rate = on * law->damping;

        const double wx = law->stiffness * b->state[STRETCH_X][i] + by_slip * vx;
        const double wy = law->stiffness * b->state[STRETCH_Y][i] + by_slip * vy;
        const double pull = pcm_length(wx, wy), limit = law->friction * grip;
        const double sticks = pull < limit ? 1 : 0;
        const double per_pull = pull > DBL_MIN ? 1 / pull : 0, ex = wx * per_pull, ey = wy * per_pull;
        const double turning = on * limit * per_pull;
        /* Minus the derivative of the force by the pull. While the point slides, only the force's direction changes. */
        const double xx = sticks > 0 ? on : turning * (1 - ex * ex), yy = sticks > 0 ? on : turning * (1 - ey * ey);
        const double xy = sticks > 0 ? 0 : -turning * ex * ey;
        const double pressed = sticks > 0 ? half * pull : law->friction * by_depth;
        const double hurried = sticks > 0 ? 0 : law->friction * by_rate;

        j[N_DEPTH][i] = by_depth;
        j[N_DEPTH_RATE][i] = by_rate;
        j[N_SLIP_X][i] = j[N_SLIP_Y][i] = 0; /* given, so that no differences are taken */
        j[X_DEPTH][i] = -pressed * ex;
        j[Y_DEPTH][i] = -pressed * ey;
        j[X_DEPTH_RATE][i] = -hurried * ex;
        j[Y_DEPTH_RATE][i] = -hurried * ey;
        j[X_SLIP_X][i] = -by_slip * xx;
        j[Y_SLIP_Y][i] = -by_slip * yy;
        j[X_SLIP_Y][i] = j[Y_SLIP_X][i] = -by_slip * xy;
        j[X_STRETCH_X][i] = -law->stiffness * xx;
        j[Y_STRETCH_Y][i] = -law->stiffness * yy;
        j[X_STRETCH_Y][i] = j[Y_STRETCH_X][i] = -law->stiffness * xy;
    }
}

/* Out of contact the stretch decays exponentially; below a femtometre, the size of an atomic nucleus, it becomes 0. */
static const double femtometre = 1e-15;

/* The motion, and so the forces, are those at the end of the step: the stretch is stepped first. While the point sticks
 * the stretch follows the slip, out of contact it decays, and while the point slides it tends exponentially to the
 * cone's edge in the direction of the pull at the end of the step. Exact for steady motion, and bounded at any dt. */
static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double dt = b->dt, decay = pcm_exp(-law.recovery * dt), blend = (1 - decay) / law.stiffness;
    const double forgotten = dt > 0 ? femtometre : 0;

    double *next_x = b->next[STRETCH_X], *next_y = b->next[STRETCH_Y];
    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], vx = b->slip_x[i], vy = b->slip_y[i];
        const double root = pcm_sqrt(pcm_ramp(d));
        const double grip = law.stiffness * d + law.damping * dd;
        const double fn = root * grip; /* positive while the point touches */

        /* The pull that friction must hold for the point to stick, divided by root, and the share that it does hold. */
        const double stuck_x = b->state[STRETCH_X][i] + vx * dt, stuck_y = b->state[STRETCH_Y][i] + vy * dt;
        const double wx = law.stiffness * stuck_x + law.damping * vx, wy = law.stiffness * stuck_y + law.damping * vy;
        const double pull = pcm_length(wx, wy), limit = law.friction * grip;
        const double cut = limit / pull, held = pull <= limit ? 1 : cut;
        const double fx = fn > 0 ? -root * (held * wx) : 0, fy = fn > 0 ? -root * (held * wy) : 0;

        const double free_x = b->state[STRETCH_X][i] * decay, free_y = b->state[STRETCH_Y][i] * decay;
        const double left = pcm_max(pcm_abs(free_x), pcm_abs(free_y));
        const double apart_x = left < forgotten ? 0 : free_x, apart_y = left < forgotten ? 0 : free_y;
        const double slid_x = free_x + blend * (cut * wx), slid_y = free_y + blend * (cut * wy);
        const double on_x = pull <= limit ? stuck_x : slid_x, on_y = pull <= limit ? stuck_y : slid_y;
        const double nx = fn > 0 ? on_x : apart_x, ny = fn > 0 ? on_y : apart_y;

        b->force_n[i] = pcm_ramp(fn);
        b->force_x[i] = fx;
        b->force_y[i] = fy;
        next_x[i] = nx;
        next_y[i] = ny;
        if (b->reports) {
            const double slide_x = (cut * wx - law.stiffness * nx) * law.fluidity;
            const double slide_y = (cut * wy - law.stiffness * ny) * law.fluidity;
            const double drag_x = pull <= limit ? vx : slide_x, drag_y = pull <= limit ? vy : slide_y;
            const double ndx = fn > 0 ? drag_x : -law.recovery * nx, ndy = fn > 0 ? drag_y : -law.recovery * ny;
            b->rate[STRETCH_X][i] = ndx;
            b->rate[STRETCH_Y][i] = ndy;
            const int64_t touching = pull <= limit ? PCM_STICKING : PCM_SLIPPING;
            b->mode[i] = fn > 0 ? touching : PCM_SEPARATED;

            /* The normal spring holds 2/5 K d^2.5. When the point leaves faster than the ground can follow, this energy
             * and that of the sideways spring go into the ground's own dampers. */
            const double pressed = pcm_ramp(d);
            b->energy[i] = root * law.stiffness * (0.4 * pressed * pressed + 0.5 * (nx * nx + ny * ny));
            const double normal = fn > 0 ? root * law.damping * dd * dd : -root * law.stiffness * pressed * dd;
            const double sliding = fx * (vx - ndx) + fy * (vy - ndy);
            b->dissipation[i] = normal + root * law.damping * (ndx * ndx + ndy * ndy) - sliding;

            /* Positive exactly while the point touches, and continuous where it leaves the ground. */
            const double touch = law.stiffness * d + pcm_min(law.damping * dd, 0);
            b->event[TOUCH_DOWN][i] = touch;
            b->event[RELEASE][i] = touch;
            b->event[STICK_SLIP][i] = fn > 0 ? limit - pull : -pcm_abs(limit) - pull;
        }
    }
    if (b->jacobian)
        slopes(b, &law);
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    if (law->friction > 0 && law->damping == 0) {
        setup->report(setup, "Damping", "must be above zero where Friction is: the ground recovers at the rate K/D");
        return 1;
    }
    law->recovery = law->damping > 0 ? law->stiffness / law->damping : 0;
    law->fluidity = law->damping > 0 ? 1 / law->damping : 0;
    return 0;
}

/* If the sideways spring is stretched by u at the depth d and then pressed to the depth e, it returns K u^2 (sqrt(e) -
 * sqrt(d)) / 2 more than it took. Friction limits K u to mu (K d + D d'). Relative to the work of pressing and
 * stretching, this gain is at most 0.12 mu for fast pressing; for slow pressing it is below both mu^2/4 and mu/4. */
static double gain(const void *params) { return 0.25 * ((const Law *)params)->friction; }

PCM_DERIVED(Law, compression, pcm_pow(load->force / law->stiffness, 2.0 / 3));

static double stiffness_for_depth(const void *params, const pcm_load *load)
{
    (void)params;
    return load->depth > 0 ? load->force / (load->depth * pcm_sqrt(load->depth)) : NAN;
}

PCM_DERIVED(Law, recovery_time, law->damping / law->stiffness);
PCM_DERIVED(Law, lift_off_speed, law->damping > 0 && load->depth > 0 ? law->recovery * load->depth : NAN);

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m^1.5", 1e6,
             "K: a compression d gives the force K d^1.5; n points of one body act in parallel", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "Damping", "N*s/m^1.5", 2000, "D: D/K is the time in which the unloaded ground recovers",
             .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.1, "coefficient mu; a safe floor has 0.5 or more, 0 has no friction",
             .min = 0, .flags = PCM_CONE),
};

static const pcm_state states[] = {
    {.name = "stretch",
     .unit = "m",
     .doc = "how far the ground's surface is dragged along by the point",
     .nominal = 1e-4,
     .shape = PCM_TANGENT,
     .role = PCM_CONTINUOUS,
     .flags = PCM_STEPS | PCM_LINGERS,
     .swap = -1},
};

static const pcm_event events[] = {
    {.name = "touch-down", .doc = "the ground begins to push", .direction = 1},
    {.name = "release", .doc = "the point outruns the recovering ground, still below its surface", .direction = -1},
    {.name = "stick-slip", .doc = "falling: the pull leaves the friction cone; rising: it is back inside"},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load, on one point", compression},
    {"stiffness_for_depth", "N/m^1.5", "the Stiffness that gives the load at the wanted depth", stiffness_for_depth},
    {"recovery_time", "s", "D/K: the unloaded ground recovers as exp(-K t/D)", recovery_time},
    {"lift_off_speed", "m/s", "upward speed beyond which the ground lets go at that depth", lift_off_speed},
};

PCM_KERNELS(update);
PCM_MODEL(
    CompliantGround, "Compliant ground for points: nonlinear spring-damper with a friction cone",
    .source = "Azad and Featherstone, Modelling the contact between a rolling sphere and a compliant ground plane, "
              "ACRA 2010; both in IEEE Trans. Robotics 30 (2014); the ground contact block of Spatial_v2",
    .equations =
        "r  = sqrt(max(d, 0))                      d depth, d' depth rate\n"
        "fn = max(r (K d + D d'), 0)               touching where fn > 0\n"
        "w  = K u + D v                            u stretch, v slip\n"
        "sticking,  r |w| <= mu fn:  ft = -r w               u' = v\n"
        "slipping,  r |w| >  mu fn:  ft = -mu fn w/|w|       u' = (mu (K d + D d') w/|w| - K u)/D\n"
        "separated, fn = 0:          ft = 0                  u' = -(K/D) u\n"
        "The stretch lives on after the point has left, until it is below 1e-15 m. The sideways spring\n"
        "stiffens with depth, so that pressing down on a stretched ground adds energy, about 1e-5 J.\n"
        "A wheel keeps its stretch: a sideways pull on it falls over seconds, 3.2 N to 1.9 N in 2 s\n"
        "on an edge mill, as in the original. Do not read a wheel's side load off it.\n"
        "Holds for points on ground that gives and recovers: K and D are those of a point, whatever its size.\n",
    .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
    .partials = PCM_TABLE(partials), .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP,
    .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE, .flags = PCM_ISOTROPIC, .prepare = prepare,
    .gain = gain);
