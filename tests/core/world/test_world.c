/* SPDX-License-Identifier: MIT */
/* Objects, motion and wrenches of a world. */
#include "fixture.h"

#include <fenv.h>
#include <pcm/jacobian.h>
#include <stdio.h>
#include <string.h>

static const char *const spring = "ContactType C = Spring { Stiffness=1000; Damping=10; };\n"
                                  "ObjectPair ground * \"ball*\" -> C;\n";

static void a_law_may_be_named_by_a_macro(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Sprung; DefaultPair -> C;", NULL);
    assert_string_equal(pcm_type_get_info(pcm_config_type_at(f.config, 0))->model->name, "Sprung");
    fixture_close(&f);
}

static void forces_are_the_laws(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, spring, NULL);
    pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
    place(f.world, ball, 0, 0, 1, 0.5, 0, -2);
    pcm_contact contact = touch(f.world, ground, ball, 7, 0.25, 0, 0.01);
    assert_int_not_equal(contact.generation, 0);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    pcm_wrench on_ball = wrench_of(f.world, ball), on_ground = wrench_of(f.world, ground);
    assert_near(on_ball.force[2], 1000 * 0.01 + 10 * 2, 1e-12);
    assert_near(on_ball.force[0], -10 * 0.5, 1e-12);
    assert_near(on_ball.torque[1], 5 - 0.25 * 30, 1e-12); /* z f_x - x f_z about the ball's origin, z = -1 */
    for (size_t k = 0; k < 3; k++)
        assert_near(on_ground.force[k], -on_ball.force[k], 0);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_info(f.world, contact, &info), PCM_OK);
    assert_int_equal(info.id, 0);
    assert_int_equal(info.feature, 7);
    assert_string_equal(info.base_name, "ground");
    assert_string_equal(info.follower_name, "ball");
    assert_near(info.force[2], 30, 1e-12);
    assert_near(info.force[0], -5, 1e-12);
    assert_near(info.slip[0], 0.5, 1e-15);
    assert_near(info.depth_rate, 2, 1e-15);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    assert_int_equal(pcm_world_contact_info(f.world, contact, &info), PCM_OK);
    assert_int_equal(info.id, 1);
    assert_near(info.force[2], 30, 1e-12);
    fixture_close(&f);
}

/* Internal forces change neither linear nor angular momentum: forces, and torques about the world's origin, sum to zero
 * over all objects. 300 contacts fill several blocks and part of another. */
static void surfaces_of_the_file_come_before_the_hosts(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "Surface Soft = \"ball*\";\n"
                 "ContactType C = Spring { Stiffness=1000; Damping=0; }; ContactType D = C { Stiffness = 3000; };\n"
                 "SurfacePair Stone * Soft -> C; SurfacePair Stone * Hard -> D;\n",
                 NULL);
    pcm_object ground = pcm_world_add(f.world, "ground", "Stone");
    pcm_object ball = pcm_world_add(f.world, "ball1", "Hard"), cube = pcm_world_add(f.world, "cube", "Hard");
    touch(f.world, ground, ball, 0, 0, 0, 0.01);
    touch(f.world, ground, cube, 0, 0, 0, 0.01);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    assert_near(wrench_of(f.world, ball).force[2], 10, 1e-12);
    assert_near(wrench_of(f.world, cube).force[2], 30, 1e-12);
    fixture_close(&f);
}

static void action_is_reaction(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Brush; DefaultPair -> C;", NULL);
    enum { OBJECTS = 40 };
    uint64_t   seed = 1;
    pcm_object object[OBJECTS];
    double     position[OBJECTS][3];
    for (size_t i = 0; i < OBJECTS; i++) {
        char name[] = {'o', (char)('a' + i / 26), (char)('a' + i % 26), '\0'};
        object[i] = pcm_world_add_object(f.world, &PCM_OBJECT(.name = name, .fixed = i % 5 == 0));
        pcm_pose  pose = {.orientation = {0.5, 0.5, -0.5, 0.5}};
        pcm_twist twist;
        for (size_t k = 0; k < 3; k++) {
            position[i][k] = pose.position[k] = noise(&seed);
            twist.linear[k] = noise(&seed);
            twist.angular[k] = noise(&seed);
        }
        assert_int_equal(pcm_world_move(f.world, object[i], &pose, &twist), PCM_OK);
    }
    for (uint64_t i = 0; i < 300; i++) {
        double x = noise(&seed), y = noise(&seed), length = sqrt(x * x + y * y + 1);
        double point[3] = {noise(&seed), noise(&seed), noise(&seed)}, normal[3] = {x / length, y / length, 1 / length};
        touch_with(f.world, object[i % OBJECTS], object[(i * 7 + 3) % OBJECTS], i, point, normal,
                   0.01 + 0.01 * fabs(noise(&seed)));
    }
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    double force[3] = {0}, torque[3] = {0}, size = 0;
    for (size_t i = 0; i < OBJECTS; i++) {
        pcm_wrench    w = wrench_of(f.world, object[i]);
        const double *p = position[i];
        for (size_t k = 0; k < 3; k++) {
            size_t a = (k + 1) % 3, b = (k + 2) % 3;
            force[k] += w.force[k];
            torque[k] += w.torque[k] + p[a] * w.force[b] - p[b] * w.force[a];
            size += fabs(w.force[k]);
        }
    }
    assert_true(size > 1000);
    for (size_t k = 0; k < 3; k++) {
        assert_near(force[k], 0, 1e-14 * size); /* rounding of 600 sums */
        assert_near(torque[k], 0, 1e-14 * size);
    }
    fixture_close(&f);
}

/* The lever arm and the base's axes: the follower's point is one metre from a fixed base that is rotated and
 * displaced. */
static void base_axes_serve_laws_that_ask(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Corner; ObjectPair wall * foot -> C;", NULL);
    pcm_object wall = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "wall", .fixed = true));
    pcm_object foot = pcm_world_add(f.world, "foot", NULL);
    double     half = sqrt(0.5);
    pcm_pose   turned = {{1, 2, 3}, {half, 0, 0, half}}; /* a quarter turn about z: its x is the world's y */
    assert_int_equal(pcm_world_move(f.world, wall, &turned, &(pcm_twist){0}), PCM_OK);
    place(f.world, foot, 0, 0, 0, 0, 4, 0);
    const double point[3] = {1, 2.5, 3.25}, normal[3] = {0, 0, 1};
    touch_with(f.world, wall, foot, 1, point, normal, 0.01);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    pcm_wrench on_foot = wrench_of(f.world, foot);
    assert_near(on_foot.force[0], 0, 1e-12);
    assert_near(on_foot.force[1], -100 * 0.5 - 4, 1e-12); /* the base's x */
    assert_near(on_foot.force[2], -300 * 0.25, 1e-12);
    fixture_close(&f);
}

static void moving_base_is_refused_where_the_rule_stands(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Corner;\nObjectPair wall * foot -> C;", NULL);
    pcm_object wall = pcm_world_add(f.world, "wall", NULL), foot = pcm_world_add(f.world, "foot", NULL);
    assert_int_equal(touch(f.world, wall, foot, 1, 0, 0, 0.01).generation, 0);
    assert_int_equal(touch(f.world, wall, foot, 2, 0, 0, 0.01).generation, 0);
    assert_int_equal(fixture_said(&f, 402), 1);
    assert_non_null(strstr(f.text[0], "'wall' is not fixed"));
    assert_null(pcm_world_pair(f.world, wall, foot, NULL));
    fixture_close(&f);
}

/* A move takes effect at the next update: until then the results of the last update remain. */
static void moves_wait_for_the_update(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, spring, NULL);
    pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
    place(f.world, ball, 0, 0, 1, 0, 0, -2);
    pcm_contact contact = touch(f.world, ground, ball, 0, 0, 0, 0.01);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    place(f.world, ball, 0, 0, 5, 0, 0, 100);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_info(f.world, contact, &info), PCM_OK);
    assert_near(info.force[2], 30, 1e-12);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    touch(f.world, ground, ball, 0, 0, 0, 0.01);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_near(wrench_of(f.world, ball).force[2], 0, 0);
    /* An object that is not moved again keeps its pose in all updates. */
    for (size_t i = 0; i < 3; i++) {
        touch(f.world, ground, ball, 0, 0.5, 0, 0.5);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        place(f.world, ball, 0, 0, 5, 0, 0, 0);
        touch(f.world, ground, ball, 0, 0.5, 0, 0.5);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        assert_near(wrench_of(f.world, ball).force[2], 500, 1e-9);
        assert_near(wrench_of(f.world, ball).torque[1], -250, 1e-9);
    }
    fixture_close(&f);
}

static void fixed_objects_are_placed_once(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, spring, NULL);
    pcm_object ground = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    pcm_pose   pose = {{1, 0, 0}, {1, 0, 0, 0}}, other = {{2, 0, 0}, {1, 0, 0, 0}};
    pcm_twist  rest = {0};
    assert_int_equal(pcm_world_move(f.world, ground, &pose, &rest), PCM_OK);
    assert_int_equal(pcm_world_move(f.world, ground, &pose, &rest), PCM_OK);
    assert_int_equal(pcm_world_move(f.world, ground, &other, &rest), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_move(f.world, ground, &pose, &rest), PCM_OK);
    assert_int_equal(pcm_world_move(f.world, ground, &other, &rest), PCM_BAD_ARGUMENT);
    fixture_close(&f);
}

static void removed_objects_take_their_contacts(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, spring, NULL);
    pcm_object ground = pcm_world_add(f.world, "ground", NULL);
    pcm_object ball = pcm_world_add(f.world, "ball", NULL), ball2 = pcm_world_add(f.world, "ball2", NULL);
    place(f.world, ball, 0, 0, 1, 0, 0, 0);
    place(f.world, ball2, 0, 0, 1, 0, 0, 0);
    pcm_contact first = touch(f.world, ground, ball, 1, 0, 0, 0.01);
    pcm_contact second = touch(f.world, ground, ball2, 1, 0, 0, 0.02);
    assert_true(pcm_world_has_contact(f.world, first) && !pcm_world_has_contact(f.world, (pcm_contact){0}));
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    assert_int_equal(pcm_world_remove(f.world, ball), PCM_OK);
    assert_true(!pcm_world_has_contact(f.world, first) && pcm_world_has_contact(f.world, second));
    assert_int_equal(pcm_world_remove(f.world, ball), PCM_BAD_HANDLE);
    assert_int_equal(pcm_world_move(f.world, ball, &(pcm_pose){.orientation = {1, 0, 0, 0}}, &(pcm_twist){0}),
                     PCM_BAD_HANDLE);
    const double point[3] = {0}, normal[3] = {0, 0, 1};
    assert_false(touch_again(f.world, first, point, normal, 0.01));
    assert_true(touch_again(f.world, second, point, normal, 0.02));
    assert_int_equal(pcm_world_update(f.world, 1, 0), PCM_OK);
    assert_int_equal(pcm_world_contact_count(f.world), 1);
    assert_near(wrench_of(f.world, ball2).force[2], 20, 1e-12);
    /* The slot is reused for another object, with another handle. */
    pcm_object ball3 = pcm_world_add(f.world, "ball3", NULL);
    assert_int_equal(ball3.index, ball.index);
    assert_int_not_equal(ball3.generation, ball.generation);
    pcm_wrench wrench;
    assert_int_equal(pcm_world_wrench(f.world, ball, &wrench), PCM_BAD_HANDLE);
    assert_int_equal(touch(f.world, ground, ball, 1, 0, 0, 0.01).generation, 0);
    assert_int_not_equal(touch(f.world, ground, ball3, 1, 0, 0, 0.01).generation, 0);
    fixture_close(&f);
}

/* Motion that is not finite disables only its own contact. */
static void bad_motion_stays_where_it_is(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t b = 0; b < 3; b++) {
        fixture f;
        fixture_open(&f, spring, NULL);
        pcm_object ground = pcm_world_add(f.world, "ground", NULL);
        pcm_object sick = pcm_world_add(f.world, "ball1", NULL), well = pcm_world_add(f.world, "ball2", NULL);
        place(f.world, sick, 0, 0, 1, bad[b], 0, 0);
        place(f.world, well, 0, 0, 1, 0, 0, 0);
        for (size_t step = 0; step < 3; step++) {
            touch(f.world, ground, sick, 1, 0, 0, 0.01);
            touch(f.world, ground, well, 1, 0, 0, 0.01);
            assert_int_equal(pcm_world_update(f.world, (double)step, 1), PCM_BAD_MOTION);
            assert_near(wrench_of(f.world, well).force[2], 10, 1e-12);
            assert_near(wrench_of(f.world, sick).force[2], 0, 0);
            assert_near(wrench_of(f.world, sick).torque[1], 0, 0);
            assert_near(wrench_of(f.world, ground).force[2], -10, 1e-12);
            assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        }
        assert_int_equal(f.messages, 1);
        assert_int_equal(fixture_said(&f, 404), 1);
        assert_non_null(strstr(f.text[0], "'ground' and 'ball1'"));
        assert_int_equal(pcm_world_contact_count(f.world), 1);
        fixture_close(&f);
    }
}

/* A contact that outlives its touch is not affected while its base has no finite pose. */
static void contacts_live_on_beside_lost_bases(void **state)
{
    (void)state;
    double stretch[2];
    for (int lost = 0; lost < 2; lost++) {
        fixture f;
        fixture_open(&f, "ContactType C = Brush; DefaultPair -> C;", NULL);
        pcm_object  ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
        pcm_contact contact = {0, 0};
        for (int step = 0; step < 3; step++) {
            pcm_pose where = {.orientation = {1}};
            if (lost && step == 1)
                where = (pcm_pose){.position = {0, INFINITY, 0}, .orientation = {0, NAN, 0, 0}};
            assert_int_equal(pcm_world_move(f.world, ground, &where, &(pcm_twist){{0}, {0}}), PCM_OK);
            place(f.world, ball, 0, 0, 1, 0.5, 0.25, 0);
            if (step != 1)
                contact = touch(f.world, ground, ball, 0, 0, 0, 0.01);
            assert_int_equal(pcm_world_update(f.world, step, 1e-3), PCM_OK);
            assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        }
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_info(f.world, contact, &info), PCM_OK);
        assert_int_equal(info.id, 1);
        stretch[lost] = info.state[0];
        fixture_close(&f);
    }
    assert_true(stretch[0] > 0);
    assert_memory_equal(&stretch[0], &stretch[1], sizeof stretch[0]);
}

/* The floating-point environment belongs to the host: an update with any number of contacts raises no flag in it. */
static void updates_raise_no_exceptions(void **state)
{
    (void)state;
    for (uint32_t isa = PCM_ISA_PLAIN; isa <= PCM_ISA_AVX512; isa++)
        for (uint64_t count = 1; count < 20; count++) {
            fixture       f;
            pcm_world_def def = pcm_world_defaults();
            def.isa = isa;
            fixture_open(&f, "ContactType C = Brush; DefaultPair -> C;", &def);
            pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
            place(f.world, ball, 0, 0, 1, 0.5, 0, -2);
            feclearexcept(FE_ALL_EXCEPT);
            for (int step = 0; step < 3; step++) {
                for (uint64_t feature = (uint64_t)step; feature < count; feature++)
                    touch(f.world, ground, ball, feature, 0.25, 0.5, 0.01);
                assert_int_equal(pcm_world_update(f.world, step, 1e-3), PCM_OK);
                assert_int_equal(pcm_world_commit(f.world), PCM_OK);
            }
            assert_int_equal(fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW), 0);
            fixture_close(&f);
        }
}

/* Kernels written by hand work too: one update function that checks itself whether reports are wanted. */
static void kernels_may_be_made_by_hand(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Hand; DefaultPair -> C;", NULL);
    pcm_object  ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
    pcm_contact contact = touch(f.world, ground, ball, 0, 0, 0, 0.5);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    assert_near(wrench_of(f.world, ball).force[2], 0.5, 0);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_info(f.world, contact, &info), PCM_OK);
    assert_near(info.force[2], 0.5, 0);
    assert_near(info.energy, 0.125, 0);
    double    depth = 0.5, force = 0, energy = 0;
    pcm_batch batch = {.size = sizeof batch, .count = 1, .depth = &depth, .force_n = &force, .energy = &energy};
    pcm_type_call(info.type, PCM_FORCES, &batch);
    assert_true(force == 0.5 && energy == 0);
    pcm_type_call(info.type, PCM_UPDATE, &batch);
    assert_true(force == 0.5 && energy == 0.125);
    /* The Jacobian finds the law's kink from its event. */
    for (int kink = 0; kink < 2; kink++) {
        double slope, *const values[] = {&slope};
        int64_t flag, *const flags[] = {&flag};
        pcm_jacobian *jacobian = pcm_jacobian_new(info.type, &(pcm_partial){PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH}, 1, 0);
        depth = kink ? 0 : 0.5;
        pcm_jacobian_evaluate(jacobian, &batch, values, flags);
        assert_near(slope, 1, 1e-9);
        assert_int_equal(flag, kink ? PCM_PARTIAL_ONE_SIDED : 0);
        pcm_jacobian_free(jacobian);
    }
    fixture_close(&f);
}

/* The message names the cause: a column of the law with its value, an input, or a part of the motion. */
static void faults_name_what_is_to_blame(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"ForceN", "gives force_n = inf for the contact of 'ground' and 'ball' at t = 0 s"},
        {"ForceY; Value = -1e308", "gives force_y = -inf for"},
        {"MomentX", "gives moment_x = inf for"},
        {"Wear", "gives next of wear = inf for"},
        {"Age", "gives rate of age_y = inf for"},
        {"Grip", "gives next of grip = inf for"},
        {"Life", "gives life = PCM_INVALID for"},
        {"Push", "reads the input push_y, which is not given for the contact of 'ground' and 'ball'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "ContactType C = Sick { Column = %s }; DefaultPair -> C;", cases[i][0]);
        fixture f;
        fixture_open(&f, text, NULL);
        const bool input = strcmp(cases[i][0], "Push") == 0;
        pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
        place(f.world, ball, 0, 0, 1, 0, 0, 0);
        const pcm_contact contact = touch(f.world, ground, ball, 1, 0, 0, 0.01);
        if (input)
            assert_int_equal(pcm_world_set_input(f.world, contact, 0, 1), PCM_OK); /* only x */
        assert_int_equal(pcm_world_update(f.world, 0, 1), input ? PCM_BAD_INPUT : PCM_BAD_MOTION);
        pcm_world_report_faults(f.world);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK); /* gives no second message */
        assert_int_equal(f.messages, 1);
        assert_int_equal(f.code[0], input ? 406 : 405);
        if (!strstr(f.text[0], cases[i][1]))
            fail_msg("%s", f.text[0]);
        fixture_close(&f);
    }
}

/* Sets Sick's push: if it is not finite the law fails. */
static void push(fixture *f, pcm_object ground, pcm_object ball, double force)
{
    const pcm_contact contact = touch(f->world, ground, ball, 1, 0, 0, 0.01);
    assert_int_equal(pcm_world_set_input(f->world, contact, 0, 0), PCM_OK);
    assert_int_equal(pcm_world_set_input(f->world, contact, 1, force), PCM_OK);
}

/* If a law fails during a run, its contact breaks when the host commits; the others continue. */
static void a_law_that_fails_ends_its_contact_alone(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Sick { Column = Push }; DefaultPair -> C;", NULL);
    const pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
    const pcm_object cube = pcm_world_add(f.world, "cube", NULL);
    pcm_rule_stats   stats = {.size = sizeof stats};
    static const struct {
        double time;
        bool   fails, commits; /* without a commit the contact is kept */
    } steps[] = {{0, false, true}, {1, true, false}, {1, false, false}, {1, true, true}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        push(&f, ground, ball, steps[i].fails ? INFINITY : 5);
        push(&f, ground, cube, 7);
        assert_int_equal(pcm_world_update(f.world, steps[i].time, 1), steps[i].fails ? PCM_BAD_MOTION : PCM_OK);
        assert_true(wrench_of(f.world, ball).force[2] == (steps[i].fails ? 0 : 5));
        assert_true(wrench_of(f.world, cube).force[2] == 7);
        assert_int_equal(steps[i].commits ? pcm_world_commit(f.world) : PCM_OK, PCM_OK);
    }
    assert_int_equal(pcm_world_rule_stats(f.world, 0, &stats), PCM_OK);
    assert_int_equal(stats.broken, 1);
    assert_int_equal(f.messages, 1);
    assert_int_equal(f.code[0], 405);
    assert_non_null(strstr(f.text[0],
                           "'C' (rule at test.pcm:1) gives force_n = inf for the contact of 'ground' and 'ball' "
                           "at t = 1 s: it gives no force, and ends with this step"));
    for (int step = 2; step < 7;
         step++) { /* it stays broken while it is reported, until both contacts have separated */
        const bool apart = step == 4, broken = step < 4;
        push(&f, ground, cube, 7);
        if (broken)
            assert_int_equal(touch(f.world, ground, ball, 1, 0, 0, 0.01).generation, 0);
        else if (!apart)
            push(&f, ground, ball, 5);
        assert_int_equal(pcm_world_update(f.world, step, 1), PCM_OK);
        assert_true(wrench_of(f.world, ball).force[2] == (broken || apart ? 0 : 5));
        assert_true(wrench_of(f.world, cube).force[2] == 7);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(pcm_world_rule_stats(f.world, 0, &stats), PCM_OK);
    assert_true(stats.made == 3 && stats.broken == 1 && f.messages == 1);
    fixture_close(&f);
}

static void bad_motion_is_distinguished(void **state)
{
    (void)state;
    static const char *const wanted[] = {"the position of 'ball' is not finite",
                                         "the orientation of 'ground' is no rotation",
                                         "the velocity of 'ball' is not finite",
                                         "its normal is no unit vector",
                                         "its point is not finite",
                                         "its depth is not finite"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        fixture f;
        fixture_open(&f, spring, NULL);
        pcm_object      ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
        pcm_pose        at = {.position = {0, i == 0 ? NAN : 0, 1}, .orientation = {1, 0, 0, 0}}, flat = {{0}, {0}};
        const pcm_twist twist = {.angular = {i == 2 ? INFINITY : 0}};
        const double    point[] = {0, 0, i == 4 ? NAN : 0}, normal[] = {0, 0, i == 3 ? 1.1 : 1};
        assert_int_equal(pcm_world_move(f.world, ball, &at, &twist), PCM_OK);
        if (i == 1)
            assert_int_equal(pcm_world_move(f.world, ground, &flat, &(pcm_twist){{0}, {0}}), PCM_OK);
        (void)touch_with(f.world, ground, ball, 1, point, normal, i == 5 ? INFINITY : 0.01);
        assert_int_equal(pcm_world_update(f.world, 0, 1), PCM_BAD_MOTION);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        assert_int_equal(fixture_said(&f, 404), 1);
        if (!strstr(f.text[0], wanted[i]))
            fail_msg("%s", f.text[0]);
        fixture_close(&f);
    }
}

/* An orientation that is not a rotation is bad motion as well, whether or not the law depends on it. */
static void bad_orientations_are_bad_motion(void **state)
{
    (void)state;
    const char  *configs[] = {"ContactType C = Spring; DefaultPair -> C;", "ContactType C = Brush; DefaultPair -> C;"};
    const double bad[][4] = {{0, 0, 0, 0}, {INFINITY, 0, 0, 0}, {1, NAN, 0, 0}};
    for (size_t i = 0; i < 6; i++) {
        fixture f;
        fixture_open(&f, configs[i % 2], NULL);
        pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
        pcm_pose   pose = {.position = {0, 0, 1}};
        memcpy(pose.orientation, bad[i / 2], sizeof pose.orientation);
        assert_int_equal(pcm_world_move(f.world, i % 4 < 2 ? ground : ball, &pose, &(pcm_twist){{0}, {0}}), PCM_OK);
        touch(f.world, ground, ball, 1, 0, 0, 0.01);
        assert_int_equal(pcm_world_update(f.world, 0, 1), PCM_BAD_MOTION);
        assert_near(wrench_of(f.world, ball).force[2], 0, 0);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        assert_int_equal(f.messages, 1);
        assert_int_equal(fixture_said(&f, 404), 1);
        fixture_close(&f);
    }
}

static void arguments_are_checked(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, spring, NULL);
    assert_int_equal(pcm_world_add(f.world, "", NULL).generation, 0);
    assert_int_equal(pcm_world_add_object(f.world, &PCM_OBJECT(.name = "a", .mass = -1)).generation, 0);
    assert_int_equal(fixture_said(&f, 401), 2);
    assert_int_equal(pcm_world_update(f.world, NAN, 0), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_update(f.world, 0, -1), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_commit(f.world), PCM_BAD_ORDER);
    assert_int_equal(fixture_said(&f, 403), 1);
    assert_null(pcm_world_new(f.config, &(pcm_world_def){0}));
    assert_int_equal(fixture_said(&f, 400), 1);
    fixture_close(&f);
}

/* A law that changes the rounding mode affects neither the host nor the sums computed after the law's call. */
static void laws_do_not_change_how_forces_are_summed(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Rounding; DefaultPair -> C;", NULL);
    const pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
    const double     normal[3] = {0.36, 0.48, 0.8}, point[3] = {0};
    for (int i = 1; i < 20; i++) {
        const double depth = 1e-3 / i, force = 1000 * depth;
        touch_with(f.world, ground, ball, 1, point, normal, depth);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        const pcm_wrench wrench = wrench_of(f.world, ball);
        for (size_t k = 0; k < 3; k++)
            assert_true(wrench.force[k] == force * normal[k]);
    }
    fixture_close(&f);
}

/* Each ball overlaps in every other step, so a lane that is not written would keep the force of the previous step. */
static void lanes_that_are_not_written_give_nothing(void **state)
{
    (void)state;
    static const char *const rules[] = {"ContactType C = Lazy { Separation = 1; }; DefaultPair -> C;",
                                        "ContactType C = Even + Lazy { Separation = 1; }; DefaultPair -> C;"};
    for (size_t r = 0; r < 2; r++) {
        fixture f;
        fixture_open(&f, rules[r], NULL);
        const pcm_object ground = pcm_world_add(f.world, "ground", NULL);
        pcm_object       ball[3];
        pcm_contact      contact[3];
        for (size_t k = 0; k < 3; k++)
            ball[k] = pcm_world_add(f.world, "ball", NULL);
        for (size_t step = 0; step < 7; step++) {
            for (size_t k = 0; k < 3; k++)
                contact[k] = touch(f.world, ground, ball[k], 0, 0, 0, step == 0 || (step + k) % 2 ? 1e-3 : -1e-3);
            assert_int_equal(pcm_world_update(f.world, 1e-3 * (double)step, 1e-3), PCM_OK);
            for (size_t k = 0; k < 3; k++) {
                const double in = step == 0 || (step + k) % 2;
                assert_near(wrench_of(f.world, ball[k]).force[2], (1 + (double)r) * in, 1e-15);
            }
            assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        }
        assert_int_equal(pcm_world_update(f.world, 1, 0), PCM_OK);
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_info(f.world, contact[0], &info), PCM_OK);
        assert_near(info.state[2 * r], 4, 0); /* steps 0, 1, 3 and 5 */
        fixture_close(&f);
    }
}

static void laws_leave_the_hosts_arithmetic(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Rounding; DefaultPair -> C;", NULL);
    const pcm_type  *type = pcm_config_type_at(f.config, 0);
    const pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL);
    const double     depth = 0.01;
    double           force = 0;
    pcm_contact_info info = {.size = sizeof info};
    for (int i = 0; i < 2; i++) {
        const pcm_contact contact = touch(f.world, ground, ball, 1, 0, 0, depth);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        assert_int_equal(fegetround(), FE_TONEAREST);
        assert_int_equal(pcm_world_contact_info(f.world, contact, &info), PCM_OK);
        assert_int_equal(fegetround(), FE_TONEAREST);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        assert_int_equal(fegetround(), FE_TONEAREST);
    }
    assert_int_equal(
        pcm_type_call(type, PCM_UPDATE,
                      &(pcm_batch){.size = sizeof(pcm_batch), .count = 1, .depth = &depth, .force_n = &force}),
        PCM_OK);
    assert_near(force, 10, 1e-14);
    assert_int_equal(fegetround(), FE_TONEAREST);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_the_laws),
        cmocka_unit_test(laws_leave_the_hosts_arithmetic),
        cmocka_unit_test(laws_do_not_change_how_forces_are_summed),
        cmocka_unit_test(lanes_that_are_not_written_give_nothing),
        cmocka_unit_test(surfaces_of_the_file_come_before_the_hosts),
        cmocka_unit_test(action_is_reaction),
        cmocka_unit_test(base_axes_serve_laws_that_ask),
        cmocka_unit_test(moving_base_is_refused_where_the_rule_stands),
        cmocka_unit_test(moves_wait_for_the_update),
        cmocka_unit_test(fixed_objects_are_placed_once),
        cmocka_unit_test(removed_objects_take_their_contacts),
        cmocka_unit_test(faults_name_what_is_to_blame),
        cmocka_unit_test(a_law_that_fails_ends_its_contact_alone),
        cmocka_unit_test(bad_motion_is_distinguished),
        cmocka_unit_test(bad_motion_stays_where_it_is),
        cmocka_unit_test(bad_orientations_are_bad_motion),
        cmocka_unit_test(a_law_may_be_named_by_a_macro),
        cmocka_unit_test(contacts_live_on_beside_lost_bases),
        cmocka_unit_test(updates_raise_no_exceptions),
        cmocka_unit_test(kernels_may_be_made_by_hand),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
