/* SPDX-License-Identifier: MIT */
/* Laws that depend on an axis or on the spin of each body: blades, grain, wheels. */
#include "fixture.h"
#include <pcm/spatial.h>
#include <pcm/messages.h>

#include <math.h>
#include <stdio.h>

typedef struct scene {
    fixture    f;
    pcm_object ground, body;
} scene;

static void open_with(scene *s, const char *config)
{
    *s = (scene){0};
    fixture_open(&s->f, config, NULL);
    s->ground = pcm_world_add(s->f.world, "ground", NULL);
    s->body = pcm_world_add(s->f.world, "body", NULL);
}

/* The columns of a rotation matrix. */
static void axes_of(const double q[4], double axis[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            axis[k][i] = rows[i][k];
}

static void random_unit(uint64_t *seed, double *v, int n)
{
    double square = 0;
    for (int i = 0; i < n; i++) {
        v[i] = noise(seed);
        square += v[i] * v[i];
    }
    for (int i = 0; i < n; i++)
        v[i] /= sqrt(square);
}

/* -(along) times the velocity along the axis's projection on the tangent plane, and -(across) times the rest. */
static void expect(const double axis[3], const double n[3], const double v[3], double force[3])
{
    double a[3], length = 0;
    for (int i = 0; i < 3; i++) {
        a[i] = axis[i] - pcm_dot(axis, n) * n[i];
        length += a[i] * a[i];
    }
    length = sqrt(length);
    double glide = 0;
    for (int i = 0; i < 3; i++) {
        a[i] /= length;
        glide += a[i] * v[i];
    }
    for (int i = 0; i < 3; i++)
        force[i] = -0.5 * glide * a[i] - 20 * (v[i] - pcm_dot(v, n) * n[i] - glide * a[i]);
}

/* For ten thousand commits the body rolls and its normal changes, as on a curved foot: the axis remains the body's,
 * within the rounding of one step. */
static void follow_axis(const char *parameters, bool base, int which)
{
    char config[160];
    (void)snprintf(config, sizeof config, "ContactType S = Skate { %s }; ObjectPair ground * body -> S;", parameters);
    scene    s;
    uint64_t seed = 7;
    open_with(&s, config);
    double worst = 0;
    for (int step = 0; step < 10000; step++) {
        pcm_pose  at = {.position = {0}};
        pcm_twist twist = {.angular = {0}};
        double    axis[3][3], n[3], wanted[3];
        random_unit(&seed, at.orientation, 4);
        random_unit(&seed, n, 3);
        for (int i = 0; i < 3; i++)
            twist.linear[i] = noise(&seed);
        axes_of(at.orientation, axis);
        if (fabs(pcm_dot(axis[which], n)) > 0.99) /* it has almost no part in the tangent plane */
            continue;
        const pcm_pose  upright = {.orientation = {1, 0, 0, 0}};
        const pcm_twist rest = {{0}, {0}};
        pcm_twist       back = twist;
        for (int i = 0; i < 3; i++)
            back.linear[i] = -twist.linear[i];
        assert_int_equal(pcm_world_move(s.f.world, base ? s.ground : s.body, &at, base ? &back : &twist), PCM_OK);
        assert_int_equal(pcm_world_move(s.f.world, base ? s.body : s.ground, &upright, &rest), PCM_OK);
        const double point[3] = {0};
        touch_with(s.f.world, s.ground, s.body, 1, point, n, 1e-3);
        assert_int_equal(pcm_world_update(s.f.world, 1e-3 * step, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(s.f.world), PCM_OK);
        const pcm_wrench w = wrench_of(s.f.world, s.body);
        expect(axis[which], n, twist.linear, wanted);
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(w.force[i] - wanted[i]));
    }
    /* Forces reach 35 N; an axis close to the normal costs a factor of 7 in accuracy. */
    assert_true(worst < 1e-12);
    fixture_close(&s.f);
}

static void a_blade_keeps_its_axis(void **state)
{
    (void)state;
    follow_axis("", false, 0);
    follow_axis("FollowerAxis = Y;", false, 1);
    follow_axis("FollowerAxis = Z; BaseAxis = X;", false, 2);
}

static void grain_of_the_base_is_an_axis_too(void **state)
{
    (void)state;
    follow_axis("Side = Base;", true, 0);
    follow_axis("Side = Base; BaseAxis = Y;", true, 1);
    follow_axis("Side = Base; BaseAxis = Z; FollowerAxis = Y;", true, 2);
}

/* Gliding is damped by exp(-c t/m), with its own c for each direction: a skate of 1 kg at 30 degrees to its motion. */
static void a_skate_goes_where_its_blade_points(void **state)
{
    (void)state;
    scene        s;
    const double half = 0.5 * 0.52359877559829887, dt = 1e-4;
    const double cosine = sqrt(0.75), sine = 0.5;
    pcm_pose     pose = {.orientation = {cos(half), 0, 0, sin(half)}};
    double       v[2] = {1, 0};
    open_with(&s, "ContactType S = Skate; DefaultPair -> S;");
    for (int step = 0; step < 5000; step++) {
        const pcm_twist twist = {.linear = {v[0], v[1], 0}};
        assert_int_equal(pcm_world_move(s.f.world, s.body, &pose, &twist), PCM_OK);
        touch(s.f.world, s.ground, s.body, 1, 0, 0, 1e-3);
        assert_int_equal(pcm_world_update(s.f.world, dt * step, dt), PCM_OK);
        const pcm_wrench w = wrench_of(s.f.world, s.body);
        assert_int_equal(pcm_world_commit(s.f.world), PCM_OK);
        for (int i = 0; i < 2; i++)
            v[i] += dt * w.force[i];
    }
    const double glide = cosine * v[0] + sine * v[1], skid = cosine * v[1] - sine * v[0];
    /* Explicit Euler gives (1 - c dt)^n, which differs from the exponential by c^2 t dt/2. */
    assert_near(glide, cosine * pow(1 - 0.5 * dt, 5000), 1e-12);
    assert_near(skid, -sine * pow(1 - 20 * dt, 5000), 1e-12);
    assert_near(glide, cosine * exp(-0.5 * 0.5), 1e-5);
    fixture_close(&s.f);
}

/* In the tangent plane the moment on the follower is 0.25 times the base's spin minus 0.75 times the follower's; along
 * n it is half the difference. Frames that are carried and frames that are not give the same. */
static void each_body_has_its_spin(void **state)
{
    (void)state;
    scene    s;
    uint64_t seed = 3;
    open_with(&s, "ContactType W = Wheel; ObjectPair ground * body -> W;");
    for (int step = 0; step < 100; step++) {
        double    n[3];
        pcm_pose  at = {.position = {0}};
        pcm_twist one = {.angular = {0}}, two = {.angular = {0}};
        random_unit(&seed, n, 3);
        random_unit(&seed, at.orientation, 4);
        for (int i = 0; i < 3; i++) {
            one.angular[i] = noise(&seed);
            two.angular[i] = noise(&seed);
        }
        assert_int_equal(pcm_world_move(s.f.world, s.ground, &at, &one), PCM_OK);
        assert_int_equal(pcm_world_move(s.f.world, s.body, &at, &two), PCM_OK);
        const double point[3] = {0}, *a = one.angular, *b = two.angular;
        touch_with(s.f.world, s.ground, s.body, 1, point, n, 1e-3);
        assert_int_equal(pcm_world_update(s.f.world, 1e-3 * step, 1e-3), PCM_OK);
        const pcm_wrench w = wrench_of(s.f.world, s.body);
        for (int i = 0; i < 3; i++) {
            const double rolls = 0.25 * (a[i] - pcm_dot(a, n) * n[i]) - 0.75 * (b[i] - pcm_dot(b, n) * n[i]);
            assert_near(w.torque[i], rolls + 0.5 * (pcm_dot(a, n) - pcm_dot(b, n)) * n[i], 1e-14);
        }
        assert_int_equal(pcm_world_commit(s.f.world), PCM_OK);
    }
    fixture_close(&s.f);
}

/* The columns are the same if the law is one of several parts, also late in a block. */
static void parts_see_both(void **state)
{
    (void)state;
    scene alone, part;
    open_with(&alone, "ContactType W = Skate; DefaultPair -> W;");
    open_with(&part, "ContactType W = Elastic + Skate + Wheel { Stiffness = 0; Sticky = 0; }; DefaultPair -> W;");
    scene *const scenes[2] = {&alone, &part};
    pcm_wrench   w[2];
    for (int k = 0; k < 2; k++) {
        const pcm_pose  pose = {.orientation = {0.8, 0, 0, 0.6}};
        const pcm_twist twist = {.linear = {1, 2, 0}};
        assert_int_equal(pcm_world_move(scenes[k]->f.world, scenes[k]->body, &pose, &twist), PCM_OK);
        for (uint64_t i = 0; i < 300; i++)
            touch(scenes[k]->f.world, scenes[k]->ground, scenes[k]->body, i, 0, 0, 1e-3);
        assert_int_equal(pcm_world_update(scenes[k]->f.world, 0, 1e-3), PCM_OK);
        w[k] = wrench_of(scenes[k]->f.world, scenes[k]->body);
        fixture_close(&scenes[k]->f);
    }
    for (int i = 0; i < 3; i++)
        assert_near(w[1].force[i], w[0].force[i], 0);
    assert_true(w[0].force[0] != 0);
}

static void an_unused_axis_is_reported(void **state)
{
    (void)state;
    scene      s;
    const char text[] = "ContactType C = Spring { BaseAxis = Z; }; DefaultPair -> C;";
    open_with(&s, "ContactType W = Skate { FollowerAxis = Z; }; DefaultPair -> W;");
    pcm_config *config = pcm_config_parse(s.f.context, "x.pcm", text, sizeof text - 1);
    assert_non_null(config);
    assert_int_equal(fixture_said(&s.f, PCM_MSG_NO_EFFECT), 1);
    pcm_config_release(config);
    fixture_close(&s.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blade_keeps_its_axis),
        cmocka_unit_test(grain_of_the_base_is_an_axis_too),
        cmocka_unit_test(a_skate_goes_where_its_blade_points),
        cmocka_unit_test(each_body_has_its_spin),
        cmocka_unit_test(parts_see_both),
        cmocka_unit_test(an_unused_axis_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
