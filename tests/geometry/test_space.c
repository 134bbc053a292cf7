/* SPDX-License-Identifier: MIT */
/* Spaces: the broad phase finds the same pairs as a search over all pairs, rules decide which pairs are tested, and the
 * measurements of a contact agree with the motion. */
#include "fixture.h"
#include "reference.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const pcm_twist at_rest = {{0, 0, 0}, {0, 0, 0}};

static pcm_object add(pcm_space *space, const char *name, const pcm_geometry *g)
{
    const pcm_object object = pcm_space_add(space, &PCM_OBJECT(.name = name, .surface = "Any"), g, NULL);
    assert_true(object.generation != 0);
    return object;
}

static pcm_object add_numbered(pcm_space *space, const char *stem, int number, const pcm_geometry *g)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", stem, number);
    return add(space, name, g);
}

static void put(pcm_space *space, pcm_object object, double x, double y, double z)
{
    const pcm_pose pose = {{x, y, z}, {1, 0, 0, 0}};
    assert_int_equal(pcm_space_move(space, object, &pose, &at_rest), PCM_OK);
}

/* The number of contacts that were touched in the last update; other live contacts are listed too, as far apart. */
static size_t overlapping(pcm_world *world)
{
    size_t count = 0;
    for (size_t i = 0; i < pcm_world_contact_count(world); i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(world, i, &info), PCM_OK);
        count += info.depth >= 0;
    }
    return count;
}

/* ---- The broad phase --------------------------------------------------------------------------------------------- */

enum { BODIES = 150, STEPS = 120 };

/* Bodies of many sizes fly through each other over a plane; a third of them have no rule for each other. */
static void finds_what_all_pairs_find(void **state)
{
    fixture       f;
    dice          d = {77};
    pcm_object    object[BODIES + 1];
    pcm_pose      pose[BODIES + 1];
    double        speed[BODIES][3];
    pcm_geometry *shapes[4];
    size_t        most = 0, seen = 0, allocations = 0;
    (void)state;
    fixture_open(&f,
                 "ContactType C = SmoothSpringDamper;"
                 "ObjectPair \"Solid*\" * \"Solid*\" -> C; ObjectPair Floor * \"*\" -> C;",
                 NULL);
    shapes[0] = pcm_geometry_sphere(f.context, 0.3);
    shapes[1] = pcm_geometry_box(f.context, (double[]){1.5, 0.2, 0.3});
    shapes[2] = pcm_geometry_cylinder(f.context, 0.2, 0.8);
    shapes[3] = pcm_geometry_plane(f.context);
    pcm_space *space = pcm_space_new(f.context, f.world);
    assert_non_null(space);
    for (int i = 0; i < BODIES; i++) {
        object[i] = add_numbered(space, i % 3 ? "Solid" : "Ghost", i, shapes[i % 7 % 3]);
        pose[i] = random_pose(&d, 4);
        direction(&d, speed[i]);
    }
    object[BODIES] = add(space, "Floor", shapes[3]);
    pose[BODIES] = (pcm_pose){{0, 0, -3.5}, {1, 0, 0, 0}};
    pcm_space_move(space, object[BODIES], &pose[BODIES], &at_rest);
    for (int step = 0; step < 2 * STEPS; step++) {
        size_t expected = 0, count;
        /* The second half runs the first one backwards: there are no new pairs, and nothing may be allocated. */
        const double way = step < STEPS ? 0.05 : -0.05;
        for (int i = 0; i < BODIES; i++) {
            for (int k = 0; k < 3; k++)
                pose[i].position[k] += way * speed[i][k];
            assert_int_equal(pcm_space_move(space, object[i], &pose[i], &at_rest), PCM_OK);
        }
        if (step == STEPS + 1)
            allocations = f.allocations;
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 0.01 * step, 0.01), PCM_OK);
        for (int a = 0; a <= BODIES; a++)
            for (int b = a + 1; b <= BODIES; b++) {
                pcm_touch touches[64];
                if (b < BODIES && (a % 3 == 0 || b % 3 == 0))
                    continue;
                assert_int_equal(pcm_geometry_touch(shapes[a % 7 % 3], &pose[a], shapes[b < BODIES ? b % 7 % 3 : 3],
                                                    &pose[b], 0, touches, sizeof *touches, 64, &count),
                                 PCM_OK);
                expected += count;
            }
        assert_int_equal(overlapping(f.world), expected);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        most = pcm_space_pair_count(space) > most ? pcm_space_pair_count(space) : most;
        seen += expected;
    }
    assert_int_equal(f.allocations, allocations);
    assert_true(seen > 1000);
    /* Of the 4950 pairs that have a rule, only a few are stored at any time. */
    assert_in_range(most, 1, 300);
    pcm_space_free(space);
    for (int k = 0; k < 4; k++)
        pcm_geometry_free(shapes[k]);
    fixture_close(&f);
}

enum { GRAINS = 160, FRAMES = 60 };

/* Balls with sizes from 1e-3 m to 1e3 m, most where they touch others of any size, some so far away that rounding is as
 * large as they are: first a hundredth of them moves in a step, then all. Objects of the first half are removed and
 * added again. */
static void finds_all_sizes(void **state)
{
    fixture       f;
    dice          d = {4711};
    pcm_object    object[GRAINS];
    pcm_geometry *ball[GRAINS];
    double        at[GRAINS][3], radius[GRAINS];
    bool          there[GRAINS];
    size_t        seen = 0;
    (void)state;
    fixture_open(&f, "ContactType C = SmoothSpringDamper; DefaultPair -> C;", NULL);
    pcm_space *space = pcm_space_new(f.context, f.world);
    for (int i = 0; i < GRAINS; i++) {
        radius[i] = pow(10, uniform(&d, -3, 3));
        ball[i] = pcm_geometry_sphere(f.context, radius[i]);
        there[i] = true;
        object[i] = add_numbered(space, "Grain", i, ball[i]);
        for (int k = 0; k < 3; k++)
            at[i][k] = i % 10 == 9 ? 1e17 * (k == 0)
                       : i % 4     ? at[i / 2][k] + uniform(&d, -1, 1) * radius[i]
                                   : uniform(&d, -1, 1) * 100;
    }
    for (int step = 0; step < FRAMES; step++) {
        size_t expected = 0;
        for (int i = 0; i < GRAINS; i++) {
            const bool moves = step % 20 == 0 || (step < 40 ? i % 100 == step : true);
            if (i % 2 && (step == 30 || step == 45)) {
                there[i] = !there[i];
                if (there[i])
                    object[i] = add_numbered(space, "Grain", i, ball[i]);
                else
                    assert_int_equal(pcm_space_remove(space, object[i]), PCM_OK);
            }
            for (int k = 0; k < 3; k++)
                at[i][k] += moves ? 0.3 * radius[i] * uniform(&d, -1, 1) : 0;
            if (there[i])
                put(space, object[i], at[i][0], at[i][1], at[i][2]);
        }
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 0.01 * step, 0.01), PCM_OK);
        for (int a = 0; a < GRAINS; a++)
            for (int b = 0; b < a; b++) {
                const double x = at[a][0] - at[b][0], y = at[a][1] - at[b][1], z = at[a][2] - at[b][2];
                expected += there[a] && there[b] && sqrt(x * x + y * y + z * z) - (radius[a] + radius[b]) <= 0;
            }
        assert_int_equal(overlapping(f.world), expected);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        seen += expected;
    }
    assert_true(seen > 10000);
    pcm_space_free(space);
    for (int i = 0; i < GRAINS; i++)
        pcm_geometry_free(ball[i]);
    fixture_close(&f);
}

enum { CROWD = 3000, CROWD_STEPS = 3 };

/* Balls, boxes and cylinders tumble through each other over a plane, with this many threads: returns the forces on all
 * of them. */
static void let_tumble(uint32_t threads, pcm_wrench *felt)
{
    fixture       f;
    dice          d = {99};
    pcm_world_def def = pcm_world_defaults();
    pcm_object    object[CROWD];
    pcm_pose      pose[CROWD];
    pcm_twist     twist[CROWD];
    pcm_geometry *shapes[4];
    def.threads = threads;
    fixture_open(&f, "ContactType C = SmoothSpringDamper; DefaultPair -> C;", &def);
    shapes[0] = pcm_geometry_sphere(f.context, 0.3);
    shapes[1] = pcm_geometry_box(f.context, (double[]){0.5, 0.4, 0.3});
    shapes[2] = pcm_geometry_cylinder(f.context, 0.2, 0.5);
    shapes[3] = pcm_geometry_plane(f.context);
    pcm_space *space = pcm_space_new(f.context, f.world);
    put(space, add(space, "Floor", shapes[3]), 0, 0, -1.5);
    for (int i = 0; i < CROWD; i++) {
        object[i] = add_numbered(space, "Body", i, shapes[i % 8 < 6 ? 0 : i % 8 - 5]);
        pose[i] = random_pose(&d, 2);
        direction(&d, twist[i].linear);
        direction(&d, twist[i].angular);
    }
    for (int step = 0; step < CROWD_STEPS; step++) {
        for (int i = 0; i < CROWD; i++)
            for (int k = 0; k < 3; k++)
                pose[i].position[k] += 0.01 * twist[i].linear[k];
        assert_int_equal(pcm_space_move_many(space, object, pose, twist, CROWD), CROWD);
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 0.01 * step, 0.01), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_true(pcm_space_pair_count(space) > 10000);
    for (int i = 0; i < CROWD; i++)
        assert_int_equal(pcm_world_wrench(f.world, object[i], &felt[i]), PCM_OK);
    pcm_space_free(space);
    for (int k = 0; k < 4; k++)
        pcm_geometry_free(shapes[k]);
    fixture_close(&f);
}

static void tasks_change_no_bit(void **state)
{
    static pcm_wrench alone[CROWD], together[CROWD];
    (void)state;
    let_tumble(1, alone);
    let_tumble(3, together);
    assert_memory_equal(alone, together, sizeof alone);
}

/* A bond begins across a gap far larger than the boxes' slack, and a contact lives on up to its type's separation. */
static void finds_across_gaps(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f,
                 "ContactType Bond = ParallelBond { BondGap = 0.5; }; ContactType C = SpringContact { Z_Limit = 1e6; "
                 "Separation = 3; };"
                 "ObjectPair \"Glued*\" * \"Glued*\" -> Bond; ObjectPair \"Held*\" * \"Held*\" -> C;",
                 NULL);
    pcm_geometry *ball = pcm_geometry_sphere(f.context, 0.1);
    pcm_space    *space = pcm_space_new(f.context, f.world);
    pcm_object    glued[2], held[2];
    for (int i = 0; i < 2; i++) {
        glued[i] = add_numbered(space, "Glued", i, ball);
        held[i] = add_numbered(space, "Held", i, ball);
        put(space, glued[i], 0.6 * i, 0, 0);
    }
    for (int step = 0; step < 30; step++) {
        put(space, held[0], 0, 5, 0);
        put(space, held[1], 0.199 + 0.1 * step, 5, 0);
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 1e-3 * step, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        assert_int_equal(pcm_world_contact_count(f.world), 2);
    }
    pcm_space_free(space);
    pcm_geometry_free(ball);
    fixture_close(&f);
}

static void comes_and_goes(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "ContactType C = SmoothSpringDamper; DefaultPair -> C;", NULL);
    pcm_geometry *ball = pcm_geometry_sphere(f.context, 1), *plane = pcm_geometry_plane(f.context);
    pcm_space    *space = pcm_space_new(f.context, f.world);
    pcm_object    floor = add(space, "Floor", plane), a = add(space, "A", ball), b = add(space, "B", ball);
    put(space, a, 0, 0, 0.9);
    put(space, b, 1.9, 0, 0.9);
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_contact_count(f.world), 3);
    assert_int_equal(pcm_space_remove(space, a), PCM_OK);
    assert_int_equal(pcm_space_remove(space, a), PCM_BAD_HANDLE);
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_contact_count(f.world), 1);
    assert_int_equal(pcm_space_remove(space, floor), PCM_OK);
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_space_pair_count(space), 0);
    /* A geometry that is placed in its object's axes, which are turned upside down. */
    a = pcm_space_add(space, &PCM_OBJECT(.name = "A"), ball, &(pcm_pose){{0, 0, 5}, {1, 0, 0, 0}});
    const pcm_pose over = {{1.9, 0, 5.9}, {0, 1, 0, 0}};
    pcm_separation s = {.size = sizeof s};
    assert_int_equal(pcm_space_move(space, a, &over, &at_rest), PCM_OK);
    assert_int_equal(pcm_space_separate(space, a, b, &s), PCM_OK);
    assert_near(s.distance, -2, 1e-12);
    /* An object whose motion is not finite is not found; once its motion is finite again, it is. */
    const pcm_pose nowhere = {{NAN, 0, 0}, {1, 0, 0, 0}};
    pcm_space_move(space, a, &nowhere, &at_rest);
    assert_int_equal(pcm_space_touch(space), PCM_BAD_MOTION);
    assert_int_equal(pcm_space_separate(space, a, b, &s), PCM_BAD_MOTION);
    pcm_space_move(space, a, &over, &at_rest);
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_space_pair_count(space), 1);
    pcm_space_free(space);
    pcm_geometry_free(ball);
    pcm_geometry_free(plane);
    fixture_close(&f);
}

static void refuses_what_does_not_meet(void **state)
{
    fixture      f;
    const double lines[2] = {-1, 1}, heights[4] = {0, 0, 0, 0};
    (void)state;
    fixture_open(&f, "ContactType C = SmoothSpringDamper; DefaultPair -> C;", NULL);
    pcm_geometry *grid = pcm_geometry_grid(f.context, lines, 2, lines, 2, heights);
    pcm_geometry *disk = pcm_geometry_disk(f.context, 0.5), *point = pcm_geometry_point(f.context);
    pcm_space    *space = pcm_space_new(f.context, f.world);
    pcm_object    ground = add(space, "Ground", grid), coin = add(space, "Coin", disk), tip = add(space, "Tip", point);
    put(space, tip, 0.9, 0.9, -0.01);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pcm_space_touch(space), PCM_BAD_CONFIG);
    assert_int_equal(fixture_said(&f, 752), 1);
    assert_non_null(strstr(f.text[0], "Ground and Coin"));
    assert_non_null(strstr(f.text[0], "a grid surface is supported with solids, points and point clouds"));
    assert_non_null(strstr(f.text[0], "a disk is supported with"));
    pcm_separation s = {.size = sizeof s};
    assert_int_equal(pcm_space_separate(space, ground, coin, &s), PCM_BAD_ARGUMENT);
    /* The other pairs are handled. */
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_contact_count(f.world), 1);
    assert_int_equal(pcm_space_remove(space, coin), PCM_OK);
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    pcm_space_free(space);
    pcm_geometry_free(grid);
    pcm_geometry_free(disk);
    pcm_geometry_free(point);
    fixture_close(&f);
}

/* ---- Sensing ----------------------------------------------------------------------------------------------------- */

static void assert_identity(const double m[9])
{
    for (int k = 0; k < 9; k++)
        assert_near(m[k], k % 4 == 0, 0);
}

/* A ball slides and sinks on a plane: every measurement in closed form. */
static void senses_a_ball(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f,
                 "ContactType C = SmoothSpringDamper { Stiffness = 1e4; Damping = 0; TransitionRegionWidth = 1e-4;"
                 " CriticalVelocity = 0.1; CoefficientOfStaticFriction = 0.5; };"
                 "ObjectPair Floor * Ball -> C;",
                 NULL);
    pcm_geometry *plane = pcm_geometry_plane(f.context), *sphere = pcm_geometry_sphere(f.context, 1);
    pcm_space    *space = pcm_space_new(f.context, f.world);
    /* Registered and measured in the other order: the rule decides which one is the base. */
    pcm_object  ball = add(space, "Ball", sphere), floor = add(space, "Floor", plane);
    pcm_sensing s = {.size = sizeof s};
    put(space, floor, 0, 0, 1);
    /* At x = 3, sunk by 1 cm, turned by 90 degrees about z, moving along y at the critical velocity, and down. */
    const pcm_pose  pose = {{3, 0, 1.99}, {sqrt(0.5), 0, 0, sqrt(0.5)}};
    const pcm_twist twist = {{0, 0, 0}, {0, 0.1, -0.02}};
    assert_int_equal(pcm_space_move(space, ball, &pose, &twist), PCM_OK);
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_space_sense(space, ball, floor, &s, sizeof s, 1), PCM_OK);
    assert_int_equal(s.contact, 1);
    assert_near(s.depth, 0.01, 1e-14);
    assert_near(s.separation, -0.01, 1e-14);
    assert_near(s.normal_force, 100, 1e-9);
    assert_near(s.friction_force, 50, 1e-9);
    assert_near(s.normal_velocity, -0.02, 1e-15);
    assert_near(s.tangential_velocity[0], 0, 1e-15);
    assert_near(s.tangential_velocity[1], 0.1, 1e-15);
    assert_identity(s.base_rotation);
    assert_near(s.base_translation[0], 3, 1e-14);
    assert_near(s.base_translation[1], 0, 1e-14);
    assert_near(s.base_translation[2], -0.005, 1e-14);
    /* In the ball's axes the contact frame is rotated back: its x is the ball's -y. */
    const double turned[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    for (int k = 0; k < 9; k++)
        assert_near(s.follower_rotation[k], turned[k], 1e-15);
    assert_near(s.follower_translation[2], -0.995, 1e-14);
    pcm_contact_info info = {.size = sizeof info};
    pcm_sensing      again = {.size = sizeof again};
    assert_int_equal(pcm_world_contact_at(f.world, 0, &info), PCM_OK);
    assert_int_equal(pcm_world_sense(f.world, info.handle, &again), PCM_OK);
    assert_memory_equal(&s, &again, sizeof s);

    put(space, ball, 3, 0, 2.5);
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_space_sense(space, floor, ball, &s, sizeof s, 1), PCM_OK);
    assert_int_equal(s.contact, 0);
    assert_near(s.separation, 0.5, 1e-15);
    assert_near(s.depth + s.normal_force + s.friction_force + fabs(s.normal_velocity), 0, 0);
    assert_identity(s.base_rotation);
    assert_identity(s.follower_rotation);
    assert_int_equal(pcm_space_sense(space, floor, ball, &s, sizeof s, 0), PCM_BAD_ARGUMENT);
    pcm_space_free(space);
    pcm_geometry_free(plane);
    pcm_geometry_free(sphere);
    fixture_close(&f);
}

/* A spring that acts across a gap: there is no contact, and its pull has its sign. */
static void senses_a_pull(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "ContactType C = SpringContact { Separation = 0.01; }; ObjectPair Floor * Ball -> C;", NULL);
    pcm_geometry *plane = pcm_geometry_plane(f.context), *sphere = pcm_geometry_sphere(f.context, 1);
    pcm_space    *space = pcm_space_new(f.context, f.world);
    pcm_object    floor = add(space, "Floor", plane), ball = add(space, "Ball", sphere);
    pcm_sensing   s = {.size = sizeof s};
    for (int i = 0; i < 2; i++) {
        put(space, ball, 3, 0, i == 0 ? 1 : 1.002);
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 1e-3 * i, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(pcm_space_sense(space, floor, ball, &s, sizeof s, 1), PCM_OK);
    assert_int_equal(s.contact, 0);
    assert_near(s.depth, 0, 0);
    assert_near(s.separation, 0.002, 1e-15);
    assert_near(s.normal_load, -1000 * 0.002, 1e-9);
    assert_near(s.normal_force, 1000 * 0.002, 1e-9);
    assert_near(s.base_translation[0], 3, 1e-15);
    pcm_space_free(space);
    pcm_geometry_free(plane);
    pcm_geometry_free(sphere);
    fixture_close(&f);
}

/* A box that rocks over from the edge that a spring holds: its other, free edge is the nearer one. */
static void senses_nearer_than_a_pull(void **state)
{
    fixture f;
    (void)state;
    fixture_open(
        &f, "ContactType C = SpringContact { Separation = 0.1; Z_Limit = 1000; }; ObjectPair Floor * Box -> C;", NULL);
    pcm_geometry *plane = pcm_geometry_plane(f.context), *cube = pcm_geometry_box(f.context, (double[]){1, 1, 1});
    pcm_space    *space = pcm_space_new(f.context, f.world);
    pcm_object    floor = add(space, "Floor", plane), box = add(space, "Box", cube);
    pcm_sensing   s = {.size = sizeof s};
    for (int i = 0; i < 2; i++) {
        /* The height of the middle of a tilted box above its lowest edge. */
        const double   angle = i == 0 ? 0.01 : -0.01, gap = i == 0 ? -1e-4 : 0.002;
        const double   height = gap + 0.5 * (cos(0.01) + sin(0.01));
        const pcm_pose pose = {{0, 0, height}, {cos(angle / 2), sin(angle / 2), 0, 0}};
        assert_int_equal(pcm_space_move(space, box, &pose, &at_rest), PCM_OK);
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 1e-3 * i, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(pcm_space_sense(space, floor, box, &s, sizeof s, 1), PCM_OK);
    assert_int_equal(s.contact, 0);
    assert_near(s.separation, 0.002, 1e-15);
    assert_near(s.normal_load, -2 * 1000 * (1e-4 + 0.002 + sin(0.01)), 1e-9);
    pcm_space_free(space);
    pcm_geometry_free(plane);
    pcm_geometry_free(cube);
    fixture_close(&f);
}

/* A box that lies flat has four contacts: the pair's force is their sum. */
static void senses_a_patch(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f,
                 "ContactType C = SmoothSpringDamper { Stiffness = 1e4; Damping = 0; TransitionRegionWidth = 1e-4; };"
                 "ObjectPair Floor * Box -> C;",
                 NULL);
    pcm_geometry *plane = pcm_geometry_plane(f.context), *cube = pcm_geometry_box(f.context, (double[]){1, 1, 1});
    pcm_space    *space = pcm_space_new(f.context, f.world);
    pcm_object    floor = add(space, "Floor", plane), box = add(space, "Box", cube);
    pcm_sensing   s = {.size = sizeof s};
    pcm_wrench    w;
    put(space, box, 0, 0, 0.499);
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_space_sense(space, floor, box, &s, sizeof s, 1), PCM_OK);
    assert_int_equal(pcm_world_wrench(f.world, box, &w), PCM_OK);
    assert_near(s.normal_force, 4 * 10, 1e-8);
    assert_near(w.force[2], 4 * 10, 1e-8);
    assert_near(w.torque[0], 0, 1e-9);
    pcm_space_free(space);
    pcm_geometry_free(plane);
    pcm_geometry_free(cube);
    fixture_close(&f);
}

/* Measures a cloud, point by point, in the cloud's order. */
static void serves_a_cloud(void **state)
{
    fixture      f;
    const double points[12] = {0, 0, 0, 1, 0, -0.02, 2, 0, 0.5, 3, 0, -0.01};
    pcm_sensing  s[4];
    (void)state;
    fixture_open(&f,
                 "ContactType C = SmoothSpringDamper { Stiffness = 1e4; };"
                 "ObjectPair Floor * Cloud -> C;",
                 NULL);
    pcm_geometry *plane = pcm_geometry_plane(f.context), *g = pcm_geometry_cloud(f.context, points, 4);
    pcm_space    *space = pcm_space_new(f.context, f.world);
    pcm_object    floor = add(space, "Floor", plane), cloud = add(space, "Cloud", g);
    put(space, cloud, 0, 0, 0.005);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pcm_space_touch(space), PCM_OK);
        assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        assert_int_equal(pcm_space_sense(space, cloud, floor, s, sizeof *s, 4), PCM_OK);
        for (int k = 0; k < 4; k++) {
            const double height = points[3 * k + 2] + 0.005;
            const bool   in = height <= 0;
            assert_int_equal(s[k].contact, in);
            assert_near(s[k].separation, height, 1e-15);
            assert_near(s[k].depth, in ? -height : 0, 1e-15);
            assert_true((s[k].normal_force > 0) == in);
            assert_near(s[k].base_translation[0], in ? points[3 * k] : 0, 1e-15);
            if (!in)
                assert_identity(s[k].follower_rotation);
        }
    }
    pcm_space_free(space);
    pcm_geometry_free(plane);
    pcm_geometry_free(g);
    fixture_close(&f);
}

/* Separations for a solver: only of the types that request it, one per point of a cloud, signed, in a fixed order. */
static void offers_crossings(void **state)
{
    fixture      f;
    const double points[6] = {0, 0, 0.2, 0, 0, -0.1};
    double       g[4];
    (void)state;
    fixture_open(&f,
                 "ContactType Watched = SmoothSpringDamper { ZeroCrossings = true; };"
                 "ContactType Plain = SmoothSpringDamper;"
                 "ObjectPair Floor * Ball -> Watched; ObjectPair Floor * Cloud -> Watched;"
                 "ObjectPair Floor * Box -> Plain;",
                 NULL);
    pcm_geometry *plane = pcm_geometry_plane(f.context), *sphere = pcm_geometry_sphere(f.context, 1);
    pcm_geometry *cloud = pcm_geometry_cloud(f.context, points, 2),
                 *cube = pcm_geometry_box(f.context, (double[]){1, 1, 1});
    pcm_space *space = pcm_space_new(f.context, f.world);
    add(space, "Floor", plane);
    pcm_object ball = add(space, "Ball", sphere);
    add(space, "Box", cube);
    add(space, "Cloud", cloud);
    for (double z = 3; z > 0; z -= 0.25) {
        put(space, ball, 0, 0, z);
        assert_int_equal(pcm_space_crossings(space, g, 4), 3);
        assert_near(g[0], z - 1, 1e-15);
        assert_near(g[1], 0.2, 0);
        assert_near(g[2], -0.1, 0);
    }
    assert_int_equal(pcm_space_crossings(space, NULL, 0), 3);
    assert_int_equal(pcm_space_remove(space, ball), PCM_OK);
    assert_int_equal(pcm_space_crossings(space, g, 4), 2);
    pcm_space_free(space);
    pcm_geometry_free(plane);
    pcm_geometry_free(sphere);
    pcm_geometry_free(cloud);
    pcm_geometry_free(cube);
    fixture_close(&f);
}

/* ---- Patches ----------------------------------------------------------------------------------------------------- */

/* The wrench on a box that lies on a box, pressed in by 1 mm and turned. */
static double carried(const char *patch, double about_x, double about_z)
{
    fixture f;
    char    text[256];
    snprintf(text, sizeof text,
             "ContactType C = SmoothSpringDamper { Stiffness = 1e4; Damping = 0; TransitionRegionWidth = 1e-6;"
             " %s }; DefaultPair -> C;",
             patch);
    fixture_open(&f, text, NULL);
    pcm_geometry    *box = pcm_geometry_box(f.context, (double[]){1, 1, 1});
    pcm_space       *space = pcm_space_new(f.context, f.world);
    const pcm_object under = add(space, "Under", box), over = add(space, "Over", box);
    const pcm_pose   pose = {{0, 0, 0.999}, {cos((about_x + about_z) / 2), sin(about_x / 2), 0, sin(about_z / 2)}};
    assert_true(about_x == 0 || about_z == 0);
    put(space, under, 0, 0, 0);
    assert_int_equal(pcm_space_move(space, over, &pose, &at_rest), PCM_OK);
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    const double force = wrench_of(f.world, over).force[2];
    pcm_space_free(space);
    pcm_geometry_free(box);
    fixture_close(&f);
    return force;
}

/* With a patch that shares, a file for one point per pair gives the same stiffness with all points: the same within
 * rounding if the box is turned in place, however many points there are; if it is tilted by 1e-4 rad, the difference is
 * that of the deepest point to the others. */
static void shared_is_as_stiff_as_single(void **state)
{
    (void)state;
    assert_near(carried("", 0, 0), 40, 1e-9);
    assert_near(carried("", 0, 1e-4), 80, 1e-2); /* eight points */
    for (int i = 0; i <= 20; i++) {
        assert_near(carried("Patch = Shared;", 0, i * 1e-4), 10, 1e-9);
        assert_near(carried("Patch = Single;", 0, i * 1e-4), 10, 1e-9);
        const double tilt = i * 1e-5, deepest = carried("Single = true;", tilt, 0);
        assert_near(deepest, 1e4 * (1e-3 + 0.5 * tilt), 2e-4);
        assert_near(carried("Patch = Shared;", tilt, 0), deepest, 1e4 * 0.5 * tilt + 2e-4);
    }
}

/* A plane gets the index of a ball that was removed: the broad phase does not apply the ball's data to it. */
static void a_plane_in_place_of_a_ball(void **state)
{
    enum { BALLS = 60 };
    fixture    f;
    pcm_object balls[BALLS];
    (void)state;
    fixture_open(&f, "ContactType C = SmoothSpringDamper; SurfacePair Any * Any -> C;", NULL);
    pcm_space    *space = pcm_space_new(f.context, f.world);
    pcm_geometry *ball = pcm_geometry_sphere(f.context, 0.5), *plane = pcm_geometry_plane(f.context);
    for (int i = 0; i < BALLS; i++) {
        balls[i] = add_numbered(space, "Ball", i, ball);
        put(space, balls[i], 2 * i, 0, 0.4);
    }
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_space_remove(space, balls[10]), PCM_OK);
    const pcm_object floor = add(space, "Floor", plane);
    put(space, floor, 0, 0, 0);
    assert_int_equal(floor.index, balls[10].index);
    put(space, balls[9], 20, 0, 0.4); /* at the ball's former place */
    assert_int_equal(pcm_space_touch(space), PCM_OK);
    assert_int_equal(pcm_space_pair_count(space), BALLS - 1);
    pcm_space_free(space);
    pcm_geometry_free(ball);
    pcm_geometry_free(plane);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_in_place_of_a_ball),
        cmocka_unit_test(finds_what_all_pairs_find),
        cmocka_unit_test(finds_all_sizes),
        cmocka_unit_test(finds_across_gaps),
        cmocka_unit_test(tasks_change_no_bit),
        cmocka_unit_test(comes_and_goes),
        cmocka_unit_test(refuses_what_does_not_meet),
        cmocka_unit_test(senses_a_ball),
        cmocka_unit_test(senses_a_patch),
        cmocka_unit_test(senses_a_pull),
        cmocka_unit_test(senses_nearer_than_a_pull),
        cmocka_unit_test(serves_a_cloud),
        cmocka_unit_test(offers_crossings),
        cmocka_unit_test(shared_is_as_stiff_as_single),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
