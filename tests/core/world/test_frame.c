/* SPDX-License-Identifier: MIT */
/* The contact frame: how it is chosen and carried, and that results do not depend on the world's position and
 * rotation. */
#include "fixture.h"

typedef struct motion {
    double q[4], p[3];
} motion;

static void turn(const double q[4], const double v[3], double out[3])
{
    const double *u = q + 1;
    double        t[3];
    for (size_t k = 0; k < 3; k++) {
        size_t a = (k + 1) % 3, b = (k + 2) % 3;
        t[k] = 2 * (u[a] * v[b] - u[b] * v[a]);
    }
    for (size_t k = 0; k < 3; k++) {
        size_t a = (k + 1) % 3, b = (k + 2) % 3;
        out[k] = v[k] + q[0] * t[k] + u[a] * t[b] - u[b] * t[a];
    }
}

static void multiply(const double a[4], const double b[4], double c[4])
{
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void rotation(const double axis[3], double angle, double q[4])
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    q[0] = cos(angle / 2);
    for (size_t k = 0; k < 3; k++)
        q[1 + k] = sin(angle / 2) * axis[k] / length;
}

/* Position and motion of an object at time t, in the world moved by g. */
static void move_in(pcm_world *world, pcm_object object, const motion *g, uint64_t seed, double t)
{
    double axis[3], shift[3], spin[3], q[4];
    for (size_t k = 0; k < 3; k++) {
        axis[k] = noise(&seed);
        shift[k] = noise(&seed);
        spin[k] = 3 * axis[k];
    }
    double size = sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
    rotation(axis, size * t, q);
    pcm_pose  pose;
    pcm_twist twist;
    double    place[3] = {shift[0] + t, shift[1], shift[2]}, velocity[3] = {1, 0, 0};
    multiply(g->q, q, pose.orientation);
    turn(g->q, place, pose.position);
    for (size_t k = 0; k < 3; k++)
        pose.position[k] += g->p[k];
    turn(g->q, spin, twist.angular);
    turn(g->q, velocity, twist.linear);
    assert_int_equal(pcm_world_move(world, object, &pose, &twist), PCM_OK);
}

/* Runs two spinning objects in a world that is moved by g. Gives the force, transformed back to the unmoved world, and
 * the state after 50 steps. */
static void run_moved(const motion *g, double force[3], double stretch[2], pcm_contact_info *info)
{
    fixture f;
    fixture_open(&f, "ContactType C = Brush { Point=Follower; }; ObjectPair a * b -> C;", NULL);
    pcm_object  a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    pcm_contact c = {0, 0};
    for (size_t i = 0; i < 50; i++) {
        double t = 0.01 * (double)i, point[3], normal[3];
        double flat[3] = {sin(t), 0.1 * t, 0.3}, n[3] = {sin(2 * t) * cos(t), sin(2 * t) * sin(t), cos(2 * t)};
        turn(g->q, flat, point);
        turn(g->q, n, normal);
        for (size_t k = 0; k < 3; k++)
            point[k] += g->p[k];
        move_in(f.world, a, g, 1, t);
        move_in(f.world, b, g, 2, t);
        c = touch_with(f.world, a, b, 5, point, normal, 0.01);
        assert_int_equal(pcm_world_update(f.world, t, 0.01), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(pcm_world_contact_info(f.world, c, info), PCM_OK);
    const double back[4] = {g->q[0], -g->q[1], -g->q[2], -g->q[3]};
    turn(back, info->world_force, force);
    stretch[0] = info->state[0];
    stretch[1] = info->state[1];
    fixture_close(&f);
}

static void absolute_place_does_not_matter(void **state)
{
    (void)state;
    motion           still = {{1, 0, 0, 0}, {0, 0, 0}};
    double           force[3], stretch[2], moved_force[3], moved_stretch[2];
    pcm_contact_info info = {.size = sizeof info}, moved = {.size = sizeof moved};
    run_moved(&still, force, stretch, &info);
    assert_true(fabs(stretch[0]) > 1e-3 && fabs(stretch[1]) > 1e-3);
    uint64_t seed = 11;
    for (size_t i = 0; i < 8; i++) {
        motion       g;
        const double axis[3] = {noise(&seed), noise(&seed), noise(&seed)};
        rotation(axis, 3 * noise(&seed), g.q);
        for (size_t k = 0; k < 3; k++)
            g.p[k] = 10 * noise(&seed);
        run_moved(&g, moved_force, moved_stretch, &moved);
        /* Velocities of about 10 m/s in a world 10 m away are accurate to 1e-14; 50 steps add up. */
        for (size_t k = 0; k < 3; k++)
            assert_near(moved_force[k], force[k], 1e-9 * 1e4);
        for (size_t k = 0; k < 2; k++)
            assert_near(moved_stretch[k], stretch[k], 1e-12);
        assert_near(moved.slip[0], info.slip[0], 1e-12);
        assert_near(moved.spin[1], info.spin[1], 1e-12);
    }
}

static void frame_begins_with_the_bases_x(void **state)
{
    (void)state;
    for (int carried = 0; carried < 2; carried++) {
        fixture f;
        fixture_open(&f,
                     carried ? "ContactType C = Brush; DefaultPair -> C;" : "ContactType C = Spring; DefaultPair -> C;",
                     NULL);
        pcm_object   a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
        const double point[3] = {0}, up[3] = {0.6, 0, 0.8}, along[3] = {1, 0, 0};
        pcm_contact  c = touch_with(f.world, a, b, 1, point, up, 0.01);
        pcm_contact  d = touch_with(f.world, a, b, 2, point, along, 0.01);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_info(f.world, c, &info), PCM_OK);
        const double tilted[9] = {0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8};
        for (size_t k = 0; k < 9; k++)
            assert_near(info.frame[k], tilted[k], 1e-15);
        assert_int_equal(pcm_world_contact_info(f.world, d, &info), PCM_OK);
        const double sideways[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}; /* x is the base's y */
        for (size_t k = 0; k < 9; k++)
            assert_near(info.frame[k], sideways[k], 1e-15);
        fixture_close(&f);
    }
}

/* A stretch along x rotates with a base that spins about the normal, and keeps its direction if the follower spins. */
static void frame_rides_with_the_base(void **state)
{
    (void)state;
    for (int who = 0; who < 2; who++) {
        fixture f;
        fixture_open(&f, "ContactType C = Brush; ObjectPair a * b -> C;", NULL);
        pcm_object object[2] = {pcm_world_add(f.world, "a", NULL), pcm_world_add(f.world, "b", NULL)};
        for (int i = 0; i <= 90; i++) {
            double    half = 0.5 * i * acos(-1) / 180;
            pcm_pose  pose = {.orientation = {cos(half), 0, 0, sin(half)}};
            pcm_twist rest = {0};
            assert_int_equal(pcm_world_move(f.world, object[who], &pose, &rest), PCM_OK);
            touch(f.world, object[0], object[1], 1, 0, 0, 0.01);
            assert_int_equal(pcm_world_update(f.world, i, 1), PCM_OK);
            assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        }
        pcm_wrench w = wrench_of(f.world, object[1]); /* the law establishes a stretch of 1e-6 m; stiffness 1e4 N/m */
        assert_near(w.force[0], who == 0 ? 0 : -1e-2, 1e-12);
        assert_near(w.force[1], who == 0 ? -1e-2 : 0, 1e-12);
        fixture_close(&f);
    }
}

/* A disc of radius 0.1 m, pressed in by 2 mm, rolls without slipping: the slip is zero only at the follower's point. */
static void point_says_where_velocity_belongs(void **state)
{
    (void)state;
    const char  *config[] = {"ContactType C = Spring { Point=Middle; }; DefaultPair -> C;",
                             "ContactType C = Spring { Point=Base; }; DefaultPair -> C;",
                             "ContactType C = Spring { Point=Follower; }; DefaultPair -> C;"};
    const double slip[] = {0.001 * 5, 0.002 * 5, 0};
    for (size_t i = 0; i < 3; i++) {
        fixture f;
        fixture_open(&f, config[i], NULL);
        pcm_object ground = pcm_world_add(f.world, "ground", NULL), disc = pcm_world_add(f.world, "disc", NULL);
        pcm_pose   pose = {{0, 0, 0.098}, {1, 0, 0, 0}};
        pcm_twist  twist = {{0, 5, 0}, {0.5, 0, 0}};
        assert_int_equal(pcm_world_move(f.world, disc, &pose, &twist), PCM_OK);
        const double point[3] = {0, 0, -0.001}, normal[3] = {0, 0, 1};
        pcm_contact  c = touch_with(f.world, ground, disc, 1, point, normal, 0.002);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_info(f.world, c, &info), PCM_OK);
        assert_near(info.slip[0], slip[i], 1e-15);
        assert_near(info.point[2], -0.2 * slip[i] + (i == 2 ? -0.002 : i == 0 ? 0 : 0.002), 1e-15);
        fixture_close(&f);
    }
}

/* For a normal that reverses in one step there is no unique smallest rotation: the frame still stays orthonormal. */
static void frame_survives_reversal(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Brush; DefaultPair -> C;", NULL);
    pcm_object   a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    const double point[3] = {0}, up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    for (int i = 0; i < 4; i++) {
        pcm_contact c = touch_with(f.world, a, b, 1, point, i % 2 ? down : up, 0.01);
        assert_int_equal(pcm_world_update(f.world, i, 0), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_info(f.world, c, &info), PCM_OK);
        assert_near(info.frame[0], 1, 1e-15);
        assert_near(info.frame[4], i % 2 ? -1 : 1, 1e-15);
    }
    fixture_close(&f);
}

/* Two equal balls are sheared along x by 1 mm; then one or both spin about the normal by 90 degrees. Gives the force on
 * the upper one. */
static void shear_and_spin(const char *config, bool upper_first, bool spin_lower, bool spin_upper, double force[3])
{
    fixture f;
    fixture_open(&f, config, NULL);
    pcm_object first = pcm_world_add(f.world, "one", NULL), second = pcm_world_add(f.world, "two", NULL);
    pcm_object lower = upper_first ? second : first, upper = upper_first ? first : second;
    for (int i = 0; i <= 91; i++) {
        double    half = 0.5 * (i < 1 ? 0 : i - 1) * acos(-1) / 180;
        pcm_pose  turned = {.orientation = {cos(half), 0, 0, sin(half)}}, still = {.orientation = {1, 0, 0, 0}};
        pcm_twist shear = {.linear = {i == 0 ? 1 : 0, 0, 0}}, rest = {.linear = {0}};
        assert_int_equal(pcm_world_move(f.world, lower, spin_lower ? &turned : &still, &rest), PCM_OK);
        assert_int_equal(pcm_world_move(f.world, upper, spin_upper ? &turned : &still, &shear), PCM_OK);
        touch(f.world, lower, upper, 1, 0, 0, 0.01);
        assert_int_equal(pcm_world_update(f.world, 1e-3 * i, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    pcm_wrench w = wrench_of(f.world, upper);
    for (size_t k = 0; k < 3; k++)
        force[k] = w.force[k];
    fixture_close(&f);
}

/* The history rotates by the mean of the two spins, whichever object was registered first; without the flag it rotates
 * with A. */
static void a_shared_frame_turns_with_the_mean(void **state)
{
    (void)state;
    const char *even = "ContactType C = Even; DefaultPair -> C;", *brush = "ContactType C = Brush; DefaultPair -> C;";
    double      force[3], other[3];
    for (int who = 0; who < 4; who++) {
        const double angle = (who % 2 + who / 2) * acos(-1) / 4;
        for (int upper_first = 0; upper_first < 2; upper_first++) {
            shear_and_spin(even, upper_first, who % 2, who / 2, force);
            assert_near(force[0], -cos(angle), 1e-12); /* 1000 N/m times 1 mm */
            assert_near(force[1], -sin(angle), 1e-12);
            assert_near(force[2], 10, 1e-12);
        }
    }
    shear_and_spin(brush, false, true, false, force);
    shear_and_spin(brush, true, true, false, other);
    assert_true(fabs(force[0] - other[0]) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absolute_place_does_not_matter), cmocka_unit_test(frame_begins_with_the_bases_x),
        cmocka_unit_test(frame_rides_with_the_base),      cmocka_unit_test(point_says_where_velocity_belongs),
        cmocka_unit_test(frame_survives_reversal),        cmocka_unit_test(a_shared_frame_turns_with_the_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
