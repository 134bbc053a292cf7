/* SPDX-License-Identifier: MIT */
/* CompliantGround, compared with tables from the original program, with tables computed with 50 digits, and with closed
 * forms. */
#include "law.h"
#include "reference.h"

#include <float.h>
#include <math.h>

static law ground(double stiffness, double damping, double friction)
{
    return law_open("CompliantGround", "Stiffness = %.17g; Damping = %.17g; Friction = %.17g;", stiffness, damping,
                    friction);
}

/* One evaluation without a step; the motion is that of the tables, with z up. */
static lanes evaluate(const law *l, double z, const double velocity[3], double ux, double uy)
{
    lanes c = lanes_open(1);
    c.depth[0] = -z;
    c.depth_rate[0] = -velocity[2];
    c.slip_x[0] = velocity[0];
    c.slip_y[0] = velocity[1];
    c.state[0][0] = ux;
    c.state[1][0] = uy;
    lanes_call(l, PCM_UPDATE, &c, 0, 1, 0);
    return c;
}

/* Checks results against a row of a table. Forces agree to 1e-13: a dozen rounding errors of 1.1e-16 in law and table
 * together. Rates are differences of terms of the size of `speed`, which determines their accuracy. */
static void check(const lanes *c, const double force[3], const double rate[2], double speed, int64_t mode)
{
    assert_int_equal(c->mode[0], mode);
    assert_true(near(c->force_n[0], force[2], 0, 1e-13));
    assert_true(near(c->force_x[0], force[0], 0, 1e-13));
    assert_true(near(c->force_y[0], force[1], 0, 1e-13));
    assert_true(near(c->rate[0][0], rate[0], 1e-13 * speed, 1e-13));
    assert_true(near(c->rate[1][0], rate[1], 1e-13 * speed, 1e-13));
    assert_true(c->next[0][0] == c->state[0][0] && c->next[1][0] == c->state[1][0]);
}

static int64_t mode_of(const char *word)
{
    return strcmp(word, "stick") == 0 ? PCM_STICKING : strcmp(word, "slip") == 0 ? PCM_SLIPPING : PCM_SEPARATED;
}

static void normal_force_as_tabled(void **state)
{
    (void)state;
    reference t = reference_open("01_azad_normal.csv");
    for (size_t r = 0; r < t.rows; r++) {
        law          l = ground(reference_at(&t, r, "K_N_m1p5"), reference_at(&t, r, "D_Ns_m1p5"), 0.5);
        const double velocity[3] = {0, 0, reference_at(&t, r, "zd_m_s")};
        lanes        c = evaluate(&l, reference_at(&t, r, "z_m"), velocity, 0, 0);
        assert_true(near(c.force_n[0], reference_at(&t, r, "fn_N"), 0, 1e-13));
        assert_int_equal(c.mode[0] != PCM_SEPARATED, reference_at(&t, r, "in_contact") != 0);
        lanes_close(&c);
        law_close(&l);
    }
    reference_close(&t);
}

static void planar_as_tabled(void **state)
{
    (void)state;
    reference t = reference_open("02_azad_contact2d.csv");
    for (size_t r = 0; r < t.rows; r++) {
        const double k = reference_at(&t, r, "K"), d = reference_at(&t, r, "D"), mu = reference_at(&t, r, "mu");
        const double u = reference_at(&t, r, "u_m"), y = reference_at(&t, r, "y_m");
        const double velocity[3] = {reference_at(&t, r, "xd"), 0, reference_at(&t, r, "yd")};
        const double force[3] = {reference_at(&t, r, "fx_N"), 0, reference_at(&t, r, "fy_N")};
        const double rate[2] = {reference_at(&t, r, "ud_m_s"), 0};
        law          l = ground(k, d, mu);
        lanes        c = evaluate(&l, y, velocity, u, 0);
        check(&c, force, rate, (k * fabs(u) + mu * k * fabs(y)) / d, mode_of(reference_word(&t, r, "state")));
        lanes_close(&c);
        law_close(&l);
    }
    reference_close(&t);
}

/* The third output of gcontact, the demanded share of the friction limit: at most 2, and 2 out of contact. */
static void check_fcone(const lanes *c, double mu, double wanted)
{
    const double asked = 1 - c->event[2][0] * sqrt(c->depth[0]) / (mu * c->force_n[0]);
    assert_true(near(c->force_n[0] > 0 ? fmin(asked, 2) : 2, wanted, 1e-12, 1e-12));
}

static void spatial_as_tabled(void **state)
{
    (void)state;
    reference t = reference_open("03_azad_contact3d.csv");
    for (size_t r = 0; r < t.rows; r++) {
        const double k = reference_at(&t, r, "K"), d = reference_at(&t, r, "D"), mu = reference_at(&t, r, "mu");
        const double ux = reference_at(&t, r, "ux"), uy = reference_at(&t, r, "uy"), z = reference_at(&t, r, "z_m");
        const double velocity[3] = {reference_at(&t, r, "xd"), reference_at(&t, r, "yd"), reference_at(&t, r, "zd")};
        const double force[3] = {reference_at(&t, r, "fx"), reference_at(&t, r, "fy"), reference_at(&t, r, "fz")};
        const double rate[2] = {reference_at(&t, r, "uxd"), reference_at(&t, r, "uyd")};
        law          l = ground(k, d, mu);
        lanes        c = evaluate(&l, z, velocity, ux, uy);
        check(&c, force, rate, (k * hypot(ux, uy) + mu * k * fabs(z)) / d, mode_of(reference_word(&t, r, "state")));
        check_fcone(&c, mu, reference_at(&t, r, "fcone"));
        lanes_close(&c);
        law_close(&l);
    }
    reference_close(&t);
}

static void the_original_program_agrees(void **state)
{
    (void)state;
    reference t = reference_open("gcontact3d_sample.csv");
    for (size_t r = 0; r < t.rows; r++) {
        const double k = reference_at(&t, r, "K"), d = reference_at(&t, r, "D"), mu = reference_at(&t, r, "mu");
        const double ux = reference_at(&t, r, "ux"), uy = reference_at(&t, r, "uy"), z = reference_at(&t, r, "pz");
        const double velocity[3] = {reference_at(&t, r, "vx"), reference_at(&t, r, "vy"), reference_at(&t, r, "vz")};
        const double force[3] = {reference_at(&t, r, "fx"), reference_at(&t, r, "fy"), reference_at(&t, r, "fz")};
        const double rate[2] = {reference_at(&t, r, "udx"), reference_at(&t, r, "udy")};
        law          l = ground(k, d, mu);
        lanes        c = evaluate(&l, z, velocity, ux, uy);
        /* The table's states 0, 1, 2 are the values of mode. */
        check(&c, force, rate, (k * hypot(ux, uy) + mu * k * fabs(z)) / d, (int64_t)reference_at(&t, r, "state"));
        check_fcone(&c, mu, reference_at(&t, r, "fcone"));
        lanes_close(&c);
        law_close(&l);
    }
    reference_close(&t);
}

/* A step is exact for steady motion, so a sequence of rows half a millisecond apart gives the closed form, with up to
 * 64 rounding errors for 64 steps. */
static void slides_exactly_at_held_depth(void **state)
{
    (void)state;
    reference t = reference_open("04_azad_slide_const_depth.csv");
    law       l = ground(1e6, 2000, 0.5);
    lanes     c = lanes_open(1);
    double    before = 0;
    c.depth[0] = 1e-3;
    c.slip_x[0] = 0.05;
    for (size_t r = 0; r < t.rows; r++) {
        const double now = reference_at(&t, r, "t_s");
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, now - before);
        assert_true(near(c.next[0][0], reference_at(&t, r, "u_m"), 0, 1e-13));
        assert_true(near(c.force_x[0], reference_at(&t, r, "ft_N"), 0, 1e-13));
        lanes_commit(&c);
        before = now;
    }
    lanes_close(&c);
    law_close(&l);
    reference_close(&t);
}

/* ---- A point mass that hits the ground -------------------------------------------------------------------------- */

typedef struct flight {
    double depth, speed;
} flight;

/* The acceleration of 1 kg; touching: whether the ground pushes. */
static double pull(const law *l, lanes *c, flight at, double *touching)
{
    c->depth[0] = at.depth;
    c->depth_rate[0] = at.speed;
    lanes_call(l, PCM_UPDATE, c, 0, 1, 0);
    *touching = c->event[1][0];
    return -c->force_n[0];
}

/* A classical Runge-Kutta step in s with t = s^2: the force begins like sqrt(t), and is smooth in s. */
static flight fly(const law *l, lanes *c, flight a, double s, double ds, double *touching)
{
    const double w1 = 2 * s * ds, w2 = 2 * (s + ds / 2) * ds, w4 = 2 * (s + ds) * ds;
    const double a1 = pull(l, c, a, touching);
    const flight b = {a.depth + w1 * a.speed / 2, a.speed + w1 * a1 / 2};
    const double a2 = pull(l, c, b, touching);
    const flight d = {a.depth + w2 * b.speed / 2, a.speed + w2 * a2 / 2};
    const double a3 = pull(l, c, d, touching);
    const flight e = {a.depth + w2 * d.speed, a.speed + w2 * a3};
    const double a4 = pull(l, c, e, touching);
    const flight end = {a.depth + (w1 * a.speed + 2 * w2 * b.speed + 2 * w2 * d.speed + w4 * e.speed) / 6,
                        a.speed + (w1 * a1 + 2 * w2 * a2 + 2 * w2 * a3 + w4 * a4) / 6};
    pull(l, c, end, touching);
    return end;
}

/* Integrates until the ground lets go, which bisecting the last step finds; deepest gets the greatest depth on the
 * way. */
static flight bounce(const law *l, double *time, flight *deepest)
{
    lanes  c = lanes_open(1);
    flight at = {0, 1};
    double s = 0, ds = 1e-5, touching;
    for (*deepest = at; ds > 1e-15;) {
        const flight next = fly(l, &c, at, s, ds, &touching);
        if (s > 0.01 && touching <= 0) {
            ds /= 2;
            continue;
        }
        at = next;
        s += ds;
        if (at.depth > deepest->depth)
            *deepest = at;
    }
    *time = s * s;
    lanes_close(&c);
    return at;
}

/* Restitution, release and greatest depth, known with 50 digits. The integration's error is about 1e-11; the deepest
 * step is within half a step, 5e-7 s, of the true maximum, where the depth varies by only 4e-11 m. */
static void bounces_as_computed_elsewhere(void **state)
{
    (void)state;
    double time;
    flight deepest;
    law    l = ground(1e6, 2000, 0.5);
    flight end = bounce(&l, &time, &deepest);
    assert_true(near(-end.speed, 0.59395028947470988, 0, 1e-9));
    assert_true(near(time, 0.011741630222181085, 0, 1e-9));
    assert_true(near(end.depth, 0.0011879005789494198, 0, 1e-9));
    assert_true(near(deepest.depth, 0.0035636283176154182, 0, 1e-7));
    law_close(&l);

    l = ground(1e6, 200, 0.5);
    end = bounce(&l, &time, &deepest);
    assert_true(near(-end.speed, 0.94414227282841254, 0, 1e-9));
    law_close(&l);
}

static void follows_the_tabled_impact(void **state)
{
    (void)state;
    reference t = reference_open("05_azad_impact_trajectory.csv");
    law       l = ground(1e6, 2000, 0.5);
    lanes     c = lanes_open(1);
    flight    at = {0, 1};
    double    s = 0, touching;
    for (size_t r = 1; r + 1 < t.rows; r++) { /* the last row is the release itself */
        const double goal = sqrt(reference_at(&t, r, "t_s")), ds = (goal - s) / 200;
        for (int i = 0; i < 200; i++)
            at = fly(&l, &c, at, s + i * ds, ds, &touching);
        s = goal;
        assert_true(near(at.depth, reference_at(&t, r, "delta_m"), 1e-13, 1e-9));
        assert_true(near(at.speed, reference_at(&t, r, "ddelta_m_s"), 1e-10, 1e-9));
        assert_true(near(c.force_n[0], reference_at(&t, r, "F_N"), 1e-7, 1e-9));
    }
    lanes_close(&c);
    law_close(&l);
    reference_close(&t);
}

/* ---- Statics, recovery and corners ------------------------------------------------------------------------------ */

static void static_numbers(void **state)
{
    (void)state;
    law l = ground(1e6, 2000, 0.5);
    assert_true(near(law_derived(&l, "compression", 9.81 / 4, NAN), 1.8186090336061896e-4, 0, 1e-14));
    assert_true(near(law_derived(&l, "stiffness_for_depth", 100, 2e-3), 1118033.9887498948, 0, 1e-14));
    assert_true(near(law_derived(&l, "lift_off_speed", NAN, 1e-3), 0.5, 0, 1e-14));
    assert_true(near(law_derived(&l, "recovery_time", NAN, NAN), 2e-3, 0, 1e-14));
    law_close(&l);
}

/* Out of contact the stretch decays exactly, in one step or in many, until it is below a femtometre; then it becomes
 * zero. Forces and rates are not affected by this cut. */
static void recovers_and_ends(void **state)
{
    (void)state;
    law   l = ground(1e6, 2000, 0.5);
    lanes c = lanes_open(1);
    c.depth[0] = PCM_FAR;
    c.state[0][0] = 1e-3;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 5e-3);
    assert_true(near(c.next[0][0], 8.2084998623898795e-5, 0, 1e-14));
    assert_true(near(c.rate[0][0], -500 * 8.2084998623898795e-5, 0, 1e-14));

    int steps = 0;
    for (; c.state[0][0] != 0 && steps < 1000; steps++) {
        const double before = c.state[0][0];
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, 1e-3);
        assert_true(c.next[0][0] == 0 ? before * exp(-0.5) < 1.001e-15 : c.next[0][0] >= 1e-15);
        lanes_commit(&c);
    }
    assert_in_range(steps, 55, 57); /* ln(1e-3 / 1e-15) / 0.5 */

    c.state[0][0] = 1e-300;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 0);
    assert_true(c.rate[0][0] == -500 * 1e-300 && c.next[0][0] == 1e-300);
    lanes_close(&c);
    law_close(&l);
}

static void equality_on_the_cone_sticks(void **state)
{
    (void)state;
    law   l = ground(0x1p20, 0x1p11, 0.5);
    lanes c = lanes_open(2);
    for (int i = 0; i < 2; i++) {
        c.depth[i] = 0x1p-10;
        c.state[0][i] = 0x1p-11;
    }
    c.state[0][1] = 0x1.0000000000001p-11;
    lanes_call(&l, PCM_UPDATE, &c, 0, 2, 0);
    assert_int_equal(c.mode[0], PCM_STICKING);
    assert_int_equal(c.mode[1], PCM_SLIPPING);
    assert_true(c.force_x[0] == -0.5 * c.force_n[0]);
    lanes_close(&c);
    law_close(&l);
}

static void lets_go_below_the_surface(void **state)
{
    (void)state;
    law   l = ground(1e6, 2000, 0.5);
    lanes c = lanes_open(3);
    for (int i = 0; i < 3; i++)
        c.depth[i] = 1e-3;
    c.depth_rate[0] = -0.499;
    c.depth_rate[1] = -0.501;
    c.depth_rate[2] = -0.5;
    lanes_call(&l, PCM_UPDATE, &c, 0, 3, 0);
    assert_int_equal(c.mode[0], PCM_STICKING);
    assert_true(c.force_n[0] > 0 && c.event[1][0] > 0);
    assert_int_equal(c.mode[1], PCM_SEPARATED);
    assert_true(c.force_n[1] == 0 && c.event[1][1] < 0);
    assert_int_equal(c.mode[2], PCM_SEPARATED);
    lanes_close(&c);
    law_close(&l);
}

static void tiny_numbers_and_signed_zeros(void **state)
{
    (void)state;
    law   l = ground(1e6, 2000, 0.5);
    lanes c = lanes_open(4);
    c.depth[0] = 0x1p-1074;
    c.state[0][0] = 0x1p-1074;
    c.depth[1] = -0.0;
    c.depth_rate[1] = 1;
    c.depth[2] = 1e-3;
    c.slip_x[2] = c.slip_y[2] = c.state[0][2] = -0.0;
    c.depth[3] = 1e-200; /* the squares of its pulls underflow */
    c.state[0][3] = 1e-200;
    lanes_call(&l, PCM_UPDATE, &c, 0, 4, 0);
    assert_true(c.force_n[0] >= 0 && isfinite(c.force_x[0]) && isfinite(c.rate[0][0]));
    assert_true(c.force_n[1] == 0 && c.force_x[1] == 0);
    assert_int_equal(c.mode[1], PCM_SEPARATED);
    assert_int_equal(c.mode[2], PCM_STICKING);
    assert_true(c.force_x[2] == 0 && c.force_y[2] == 0);
    assert_int_equal(c.mode[3], PCM_SLIPPING);
    assert_true(near(c.force_x[3], -0.5 * c.force_n[3], 0, 1e-13));
    lanes_close(&c);
    law_close(&l);
}

static void without_friction_nothing_is_dragged(void **state)
{
    (void)state;
    law   l = law_open("CompliantGround", "Friction = 0; Damping = 0;");
    lanes c = lanes_open(1);
    c.depth[0] = 1e-3;
    c.slip_x[0] = 2;
    lanes_call(&l, PCM_UPDATE, &c, 0, 1, 1e-3);
    assert_true(near(c.force_n[0], 31.622776601683793, 0, 1e-15));
    assert_true(c.force_x[0] == 0 && c.next[0][0] == 0 && c.rate[0][0] == 0);
    assert_int_equal(c.mode[0], PCM_SLIPPING);
    lanes_close(&c);
    law_close(&l);
}

static void nan_is_never_hidden(void **state)
{
    (void)state;
    law   l = ground(1e6, 2000, 0.5);
    lanes c = lanes_open(3);
    for (int i = 0; i < 3; i++)
        c.depth[i] = 1e-3;
    c.depth[0] = c.depth_rate[1] = c.slip_x[2] = NAN;
    lanes_call(&l, PCM_UPDATE, &c, 0, 3, 1e-3);
    assert_true(isnan(c.force_n[0]) && isnan(c.force_n[1]) && isnan(c.force_x[2]) && c.force_n[2] > 0);
    lanes_close(&c);
    law_close(&l);
}

/* A planar host has nothing along y, and gets the results of a spatial host that gives zeros there. */
static void planar_hosts_leave_y_out(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    static double   depth[COUNT], rate[COUNT], slip[COUNT], stretch[COUNT], normal[COUNT], friction[COUNT], then[COUNT];
    const double   *states[2] = {stretch, NULL};
    double         *next[2] = {then, NULL};
    law             l = ground(1e6, 2000, 0.5);
    lanes           c = lanes_open(COUNT);
    const pcm_batch batch = {.size = sizeof batch,
                             .count = COUNT,
                             .dt = 1e-3,
                             .depth = depth,
                             .depth_rate = rate,
                             .slip_x = slip,
                             .state = states,
                             .next = next,
                             .force_n = normal,
                             .force_x = friction};
    uint64_t        seed = 9;
    for (int i = 0; i < COUNT; i++) {
        depth[i] = c.depth[i] = 1e-3 * noise(&seed);
        rate[i] = c.depth_rate[i] = noise(&seed);
        slip[i] = c.slip_x[i] = noise(&seed);
        stretch[i] = c.state[0][i] = 1e-3 * noise(&seed);
    }
    pcm_type_call(l.type, PCM_UPDATE, &batch);
    lanes_call(&l, PCM_UPDATE, &c, 0, COUNT, 1e-3);
    assert_memory_equal(normal, c.force_n, sizeof normal);
    assert_memory_equal(friction, c.force_x, sizeof friction);
    assert_memory_equal(then, c.next[0], sizeof then);
    lanes_close(&c);
    law_close(&l);
}

/* Rotating slip and stretch rotates friction and rate; swapping the bodies reverses all of them. The mode follows from
 * the signs of the indicators. */
static void no_direction_is_special(void **state)
{
    (void)state;
    law          l = ground(1e6, 2000, 0.5);
    lanes        c = lanes_open(3);
    uint64_t     seed = 10;
    const double cosine = 0.6, sine = 0.8;
    for (int i = 0; i < 1000; i++) {
        const double vx = noise(&seed), vy = noise(&seed), ux = 1e-3 * noise(&seed), uy = 1e-3 * noise(&seed);
        for (int k = 0; k < 3; k++) {
            c.depth[k] = k ? c.depth[0] : 1e-3 * noise(&seed);
            c.depth_rate[k] = k ? c.depth_rate[0] : noise(&seed);
            c.slip_x[k] = k == 0 ? vx : k == 1 ? cosine * vx - sine * vy : -vx;
            c.slip_y[k] = k == 0 ? vy : k == 1 ? sine * vx + cosine * vy : -vy;
            c.state[0][k] = k == 0 ? ux : k == 1 ? cosine * ux - sine * uy : -ux;
            c.state[1][k] = k == 0 ? uy : k == 1 ? sine * ux + cosine * uy : -uy;
        }
        lanes_call(&l, PCM_UPDATE, &c, 0, 3, 1e-3);
        const double room = 1e-13 * c.force_n[0], fx = c.force_x[0], fy = c.force_y[0];
        assert_true(near(c.force_x[1], cosine * fx - sine * fy, room, 1e-13));
        assert_true(near(c.force_y[1], sine * fx + cosine * fy, room, 1e-13));
        assert_true(c.force_x[2] == -fx && c.force_y[2] == -fy && c.next[0][2] == -c.next[0][0]);
        assert_int_equal(c.mode[0] != PCM_SEPARATED, c.event[0][0] > 0);
        assert_int_equal(c.mode[0] == PCM_STICKING, c.event[2][0] >= 0);
    }
    lanes_close(&c);
    law_close(&l);
}

/* ---- Steps ------------------------------------------------------------------------------------------------------ */

/* With any step size the stretch stays between its old value and the cone's edge. */
static void stable_at_any_step(void **state)
{
    (void)state;
    law      l = ground(1e6, 2000, 0.5);
    lanes    c = lanes_open(1);
    uint64_t seed = 5;
    for (int i = 0; i < 2000; i++) {
        const double dt = pow(10, 4 * noise(&seed)), edge = 0.5 * 1e-3;
        c.depth[0] = 1e-3;
        c.state[0][0] = 1e-3 * noise(&seed);
        c.state[1][0] = 1e-3 * noise(&seed);
        c.slip_x[0] = 10 * noise(&seed);
        c.slip_y[0] = 10 * noise(&seed);
        lanes_call(&l, PCM_UPDATE, &c, 0, 1, dt);
        const double was = hypot(c.state[0][0], c.state[1][0]), is = hypot(c.next[0][0], c.next[1][0]);
        assert_true(is <= fmax(was, edge) * (1 + 1e-14));
        assert_true(hypot(c.force_x[0], c.force_y[0]) <= 0.5 * c.force_n[0] * (1 + 1e-14));
    }
    lanes_close(&c);
    law_close(&l);
}

/* The stretch after 20 ms of a point whose slip rotates and whose depth oscillates, so that it crosses the cone's
 * edge. */
static double swept(const law *l, int steps)
{
    lanes        c = lanes_open(1);
    const double dt = 0.02 / steps;
    for (int i = 1; i <= steps; i++) {
        const double t = i * dt;
        c.depth[0] = 1e-3 + 5e-4 * sin(300 * t);
        c.depth_rate[0] = 0.15 * cos(300 * t);
        c.slip_x[0] = 0.1 * cos(200 * t);
        c.slip_y[0] = 0.1 * sin(200 * t);
        lanes_call(l, PCM_UPDATE, &c, 0, 1, dt);
        lanes_commit(&c);
    }
    const double stretch = c.state[0][0];
    lanes_close(&c);
    return stretch;
}

static void first_order_in_the_step(void **state)
{
    (void)state;
    law          l = ground(1e6, 2000, 0.5);
    const double truth = swept(&l, 1 << 18);
    const double coarse = fabs(swept(&l, 256) - truth), fine = fabs(swept(&l, 4096) - truth);
    /* Sixteen times as many steps give about a sixteenth of the error; it also depends on where in a step the edge is
     * crossed. */
    assert_true(fine < coarse / 10 && coarse < 1e-5);
    law_close(&l);
}

/* All work is stored or dissipated: sideways at a constant depth, and along the normal without stretch. */
static void energy_adds_up(void **state)
{
    (void)state;
    law      l = ground(1e6, 2000, 0.5);
    lanes    c = lanes_open(2);
    uint64_t seed = 6;
    for (int i = 0; i < 500; i++) {
        const double h = 1e-9, d = 1e-3 * (1 + noise(&seed)), dd = noise(&seed), vx = noise(&seed);
        const double u = 1e-3 * noise(&seed);
        c.depth[0] = c.depth[1] = d;
        c.depth_rate[0] = dd;
        c.slip_x[1] = vx;
        c.state[0][1] = u;
        lanes_call(&l, PCM_UPDATE, &c, 0, 2, 0);
        const double into = c.force_n[0] * dd, along = -c.force_x[1] * vx, rate = c.rate[0][1];
        const double lost[2] = {c.dissipation[0], c.dissipation[1]};
        double       stored[2];
        c.depth[0] = d + h * dd;
        c.state[0][1] = u + h * rate;
        lanes_call(&l, PCM_UPDATE, &c, 0, 2, 0);
        stored[0] = c.energy[0];
        stored[1] = c.energy[1];
        c.depth[0] = d - h * dd;
        c.state[0][1] = u - h * rate;
        lanes_call(&l, PCM_UPDATE, &c, 0, 2, 0);
        /* By central differences, whose accuracy is the energy's rounding over 2 h. */
        const double room = 4e-16 * 200 / h;
        assert_true(near((stored[0] - c.energy[0]) / (2 * h) + lost[0], into, room, 1e-6));
        assert_true(near((stored[1] - c.energy[1]) / (2 * h) + lost[1], along, room, 1e-6));
        assert_true(lost[0] >= 0 && lost[1] >= 0);
    }
    lanes_close(&c);
    law_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_force_as_tabled),
        cmocka_unit_test(planar_as_tabled),
        cmocka_unit_test(spatial_as_tabled),
        cmocka_unit_test(the_original_program_agrees),
        cmocka_unit_test(slides_exactly_at_held_depth),
        cmocka_unit_test(bounces_as_computed_elsewhere),
        cmocka_unit_test(follows_the_tabled_impact),
        cmocka_unit_test(static_numbers),
        cmocka_unit_test(recovers_and_ends),
        cmocka_unit_test(equality_on_the_cone_sticks),
        cmocka_unit_test(lets_go_below_the_surface),
        cmocka_unit_test(tiny_numbers_and_signed_zeros),
        cmocka_unit_test(without_friction_nothing_is_dragged),
        cmocka_unit_test(nan_is_never_hidden),
        cmocka_unit_test(planar_hosts_leave_y_out),
        cmocka_unit_test(no_direction_is_special),
        cmocka_unit_test(stable_at_any_step),
        cmocka_unit_test(first_order_in_the_step),
        cmocka_unit_test(energy_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
