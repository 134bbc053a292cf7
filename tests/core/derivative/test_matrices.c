/* SPDX-License-Identifier: MIT */
/* Matrices of a world's contacts, which are compared with its wrenches, and advice on the step from them. */
#include "fixture.h"
#include <pcm/jacobian.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Force on a follower over a tilted base, and on which the extra velocity `speed` has acted for dt. The change in the
 * force must be that predicted by the matrices. */
static void force_on(pcm_world *world, const pcm_object object[2], const double speed[3], double dt, double force[3],
                     pcm_contact *contact)
{
    pcm_touch      touch = {.feature = 1, .point = {0.01, 0.02, -0.03}, .normal = {0.48, -0.6, 0.64}, .depth = 2e-3};
    const pcm_pose base = {{0}, {0.5, 0.1, -0.7, 0.5}};
    pcm_twist      twist = {{0}, {0.02, -0.05, 0.01}};
    for (size_t i = 0; i < 3; i++) {
        touch.depth -= touch.normal[i] * speed[i] * dt;
        touch.point[i] += speed[i] * dt / 2;
        twist.linear[i] += speed[i];
    }
    pcm_pose pose = {{speed[0] * dt, speed[1] * dt, speed[2] * dt}, {1, 0, 0, 0}};
    assert_int_equal(pcm_world_move(world, object[0], &base, &(pcm_twist){{0}, {0}}), PCM_OK);
    assert_int_equal(pcm_world_move(world, object[1], &pose, &twist), PCM_OK);
    *contact = pcm_world_touch(world, object[0], object[1], &touch, sizeof touch);
    assert_int_equal(pcm_world_update(world, 1e-3, dt), PCM_OK);
    pcm_wrench wrench;
    assert_int_equal(pcm_world_wrench(world, object[1], &wrench), PCM_OK);
    memcpy(force, wrench.force, sizeof wrench.force);
}

static void matrices_answer_for_the_wrench(void **state)
{
    (void)state;
    static const char *const models[] = {"CompliantGround { Friction=0.5; }", "ViscoelasticGround",
                                         "SmoothSpringDamper { CriticalVelocity=0.02; }", "SpringContact"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        char text[256];
        snprintf(text, sizeof text, "ContactType C = %s;\nDefaultPair -> C;\n", models[m]);
        fixture f;
        fixture_open_with(&f, TEST_PLUGINS, text, NULL);
        pcm_world       *world = f.world;
        const pcm_object object[2] = {pcm_world_add(world, "base", NULL), pcm_world_add(world, "follower", NULL)};
        const double     none[3] = {0};
        double           force[3], there[3], back[3];
        pcm_contact      contact;
        pcm_matrices    *matrices = pcm_matrices_new(world);
        assert_non_null(matrices);
        force_on(world, object, none, 1e-3, force, &contact);
        assert_int_equal(pcm_world_commit(world), PCM_OK); /* an anchored contact can move only after it has begun */
        force_on(world, object, none, 1e-3, force, &contact);
        pcm_contact_matrices result = {.size = sizeof result};
        assert_int_equal(pcm_matrices_contact(matrices, contact, &result), PCM_OK);
        for (size_t way = 0; way < 6; way++) {
            /* The speed is small compared with 0.02 m/s, the time compared with D/K. The last three cases have dt = 0,
             * so there is no displacement. */
            const double small = 1e-5, dt = way < 3 ? 5e-5 : 0;
            double       speed[2][3] = {{0}};
            speed[0][way % 3] = small;
            speed[1][way % 3] = -small;
            force_on(world, object, speed[0], dt, there, &contact);
            force_on(world, object, speed[1], dt, back, &contact);
            for (size_t i = 0; i < 3; i++) {
                const size_t at = 6 * (3 + i) + 3 + way % 3;
                const double expected = -(there[i] - back[i]) / (2 * small);
                const double found = result.damping[at] + dt * result.stiffness[at];
                /* Relative to the largest entry: the difference has second order. */
                if (!(fabs(found - expected) <= 1e-4 * (fabs(result.damping[35]) + dt * fabs(result.stiffness[35]))))
                    fail_msg("%s: force %zu by way %zu: %.9g, not %.9g", models[m], i, way, found, expected);
            }
        }
        assert_true(pcm_matrices_step(&result, 1) > 0);
        assert_int_equal(pcm_matrices_contact(matrices, (pcm_contact){9, 9}, &result), PCM_BAD_HANDLE);
        pcm_matrices_free(matrices);
        fixture_close(&f);
    }
}

/* The matrices refer to the contact point; the frame's normal is the contact's. */
static void assert_place(const pcm_contact_matrices *found, const pcm_contact_info *info)
{
    assert_true(found->reported);
    assert_int_equal(found->base.index, info->base.index);
    assert_int_equal(found->follower.index, info->follower.index);
    assert_memory_equal(found->point, info->point, sizeof info->point);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            double product = 0;
            for (size_t row = 0; row < 3; row++)
                product += found->frame[3 * row + i] * found->frame[3 * row + k];
            assert_true(fabs(product - (i == k)) < 1e-12);
            assert_true(found->frame[3 * i + 2] == info->frame[3 * i + 2]);
        }
}

/* Two contact types, and more contacts than one call of a law takes; some committed, some new. */
static void matrices_of_a_list_are_those_of_each(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    static const char           text[] = "ContactType C = CompliantGround { Friction=0.5; };\n"
                                         "ContactType S = ViscoelasticGround;\n"
                                         "ObjectPair base * soft -> S;\nDefaultPair -> C;\n";
    static pcm_contact_matrices all[COUNT];
    fixture                     f;
    fixture_open_with(&f, TEST_PLUGINS, text, NULL);
    pcm_world       *world = f.world;
    const pcm_object base = pcm_world_add(world, "base", NULL), hard = pcm_world_add(world, "hard", NULL),
                     soft = pcm_world_add(world, "soft", NULL);
    pcm_matrices *matrices = pcm_matrices_new(world);
    assert_non_null(matrices);
    assert_int_equal(pcm_matrices_list(matrices, 0, 1, all, sizeof *all), PCM_BAD_ORDER);
    const pcm_pose  at = {.orientation = {1}};
    const pcm_twist slip = {.linear = {0.01, -0.02, -0.01}};
    for (size_t there = COUNT / 2; there <= COUNT; there += COUNT / 2) {
        assert_int_equal(pcm_world_move(world, hard, &at, &slip), PCM_OK);
        for (size_t i = 0; i < there; i++) {
            const pcm_touch touch = {
                .feature = i, .point = {0.01 * (double)i, 0, 0}, .normal = {0, 0, 1}, .depth = 1e-6 * (double)(i + 1)};
            pcm_world_touch(world, base, i % 3 ? hard : soft, &touch, sizeof touch);
        }
        assert_int_equal(pcm_world_update(world, 0, 1e-3), PCM_OK);
        assert_int_equal(pcm_matrices_list(matrices, 0, there, all, sizeof *all), PCM_OK);
        for (size_t i = 0; i < there; i++) {
            pcm_contact_info     info = {.size = sizeof info};
            pcm_contact_matrices one = {.size = sizeof one};
            assert_int_equal(pcm_world_contact_at(world, i, &info), PCM_OK);
            assert_int_equal(pcm_matrices_contact(matrices, info.handle, &one), PCM_OK);
            assert_memory_equal(&one, &all[i], sizeof one);
            assert_true(one.stiffness[35] > 0);
            assert_place(&one, &info);
        }
        pcm_contact_matrices last;
        assert_int_equal(pcm_matrices_list(matrices, there - 1, 1, &last, sizeof last), PCM_OK);
        assert_memory_equal(&last, &all[there - 1], sizeof last);
        assert_int_equal(pcm_world_commit(world), PCM_OK);
        assert_int_equal(pcm_matrices_list(matrices, there, 1, all, sizeof *all), PCM_BAD_ARGUMENT);
        assert_int_equal(pcm_world_update(world, 0, 1e-3), PCM_OK);
        assert_int_equal(pcm_matrices_list(matrices, 0, 1, all, sizeof *all), PCM_OK);
        assert_true(!all[0].reported && all[0].point[0] == 0 && all[0].frame[8] == 0);
        assert_int_equal(pcm_matrices_list(matrices, there, 0, NULL, sizeof *all), PCM_OK);
    }
    pcm_matrices_free(matrices);
    fixture_close(&f);
}

/* A mass of 1 kg that a spring and damper drag along: h^2 K + 2 h B = 4, at whatever step the matrices are computed. */
static void step_advice_does_not_depend_on_the_step(void **state)
{
    (void)state;
    static const char text[] =
        "ContactType C = SpringContact { K=1.1e6; B=500; Z_Limit=1e6; X_Limit=1e6; Y_Limit=1e6; };\n"
        "DefaultPair -> C;\n";
    static const double asked[] = {0, 2e-3, 5e-3, 2e-2};
    fixture             f;
    fixture_open_with(&f, TEST_PLUGINS, text, NULL);
    pcm_world       *world = f.world;
    const pcm_object object[2] = {pcm_world_add(world, "base", NULL), pcm_world_add(world, "follower", NULL)};
    const double     none[3] = {0};
    pcm_matrices    *matrices = pcm_matrices_new(world);
    assert_non_null(matrices);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        double               force[3];
        pcm_contact          contact;
        pcm_contact_matrices result = {.size = sizeof result};
        force_on(world, object, none, asked[i], force, &contact);
        assert_int_equal(pcm_matrices_contact(matrices, contact, &result), PCM_OK);
        for (size_t k = 3; k < 6; k++) {
            /* All directions are equally stiff; K comes from the difference of two nearly equal numbers. */
            assert_true(fabs(result.stiffness[7 * k] - 1.1e6) < 1e-6 * 1.1e6);
            assert_true(fabs(result.damping[7 * k] - 500) < 1e-9 * 500);
        }
    }
    pcm_matrices_free(matrices);
    fixture_close(&f);
}

/* At the change from sticking to sliding a damper's force drops at once: this is not stiffness. */
static void friction_that_lets_go_is_no_spring(void **state)
{
    (void)state;
    const double k = 1e6, d = 1e4, depth = 2e-3, closing = -0.046, slip = sqrt(0.003 - closing * closing);
    for (int i = 0; i <= 10; i++) { /* within the microsecond over which the stiffness is determined */
        const double pull = d * slip * (1 + i * 0.1 * 1e-6 * k / d);
        char         text[256];
        snprintf(
            text, sizeof text,
            "ContactType C = CompliantGround { Stiffness=1e6; Damping=1e4; Friction=%.17g; };\nDefaultPair -> C;\n",
            pull / (k * depth + d * closing));
        fixture f;
        fixture_open_with(&f, TEST_PLUGINS, text, NULL);
        pcm_world       *world = f.world;
        const pcm_object object[2] = {pcm_world_add(world, "base", NULL), pcm_world_add(world, "follower", NULL)};
        pcm_matrices    *matrices = pcm_matrices_new(world);
        assert_non_null(matrices);
        double               force[3];
        pcm_contact          contact;
        pcm_contact_matrices result = {.size = sizeof result};
        force_on(world, object, (double[3]){0}, 0, force, &contact);
        assert_int_equal(pcm_matrices_contact(matrices, contact, &result), PCM_OK);
        for (size_t at = 0; at < 36; at++)
            assert_true(fabs(result.stiffness[at]) < 3 * k * sqrt(depth));
        pcm_matrices_free(matrices);
        fixture_close(&f);
    }
}

static void step_advice_is_that_of_a_mass_on_a_spring(void **state)
{
    (void)state;
    pcm_contact_matrices spring = {.one_sided = false};
    assert_true(isinf(pcm_matrices_step(&spring, 1)));
    spring.stiffness[35] = 1e4;
    assert_true(fabs(pcm_matrices_step(&spring, 1) - 2 / 100.0) < 1e-15); /* 2 / omega */
    spring.damping[35] = 150;
    /* h^2 k + 2 h c = 4 m */
    const double h = pcm_matrices_step(&spring, 1);
    assert_true(fabs(h * h * 1e4 + 2 * h * 150 - 4) < 1e-12);
    spring.stiffness[35] = 0;
    assert_true(fabs(pcm_matrices_step(&spring, 1) - 2 / 150.0) < 1e-15);
}

/* Over a step of 1 ms at 0.2 m/s a bristle that yields after 10 um slides: it resists across the slip as friction
 * turns, and along it hardly at all; and it follows the load. The tangent, which holds for shorter steps, is that of
 * the bristle. */
static void matrices_of_a_step_know_that_friction_slides(void **state)
{
    (void)state;
    static const char text[] = "ContactType C = KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e5; Damping = 50; "
                               "Dahl.Stiffness = 1e5; Friction = 0.5; };\nDefaultPair -> C;\n";
    const double      dt = 1e-3, speed = 0.2, load = 1e5 * 2e-5;
    fixture           f;
    fixture_open_with(&f, TEST_PLUGINS, text, NULL);
    pcm_world       *world = f.world;
    const pcm_object base = pcm_world_add(world, "base", NULL), box = pcm_world_add(world, "box", NULL);
    pcm_matrices    *matrices = pcm_matrices_new(world);
    assert_non_null(matrices);
    assert_int_equal(pcm_world_move(world, box, &(pcm_pose){{0}, {1, 0, 0, 0}}, &(pcm_twist){{0}, {speed, 0, 0}}),
                     PCM_OK);
    const pcm_contact contact =
        pcm_world_touch(world, base, box, &(pcm_touch){.normal = {0, 0, 1}, .depth = 2e-5}, sizeof(pcm_touch));
    assert_int_equal(pcm_world_update(world, dt, dt), PCM_OK);
    pcm_contact_matrices tangent = {.size = sizeof tangent}, step = tangent;
    assert_int_equal(pcm_matrices_contact(matrices, contact, &tangent), PCM_OK);
    assert_true(fabs(tangent.stiffness[21] / 1e5 - 1) < 0.05);
    assert_int_equal(pcm_matrices_set_step(matrices, dt), PCM_OK);
    assert_int_equal(pcm_matrices_contact(matrices, contact, &step), PCM_OK);
    assert_true(fabs(step.damping[28] / (0.5 * load / speed) - 1) < 1e-6);
    assert_true(fabs(step.damping[21]) < 1e-3 * step.damping[28]);
    assert_true(fabs(step.states[28] / step.damping[28] - 1) < 1e-6 && fabs(step.states[35]) < 1e-6);
    assert_true(fabs(step.stiffness[21]) < 1 && fabs(step.stiffness[28]) < 1);
    assert_true(fabs(step.stiffness[35] / 1e5 - 1) < 1e-6 && fabs(step.damping[35] / 50 - 1) < 1e-6);
    assert_true(fabs(step.stiffness[23] / -0.5e5 - 1) < 1e-6);
    assert_true(fabs(step.force[0] + 0.5 * load) < 1e-6 && fabs(step.force[2] - load) < 1e-12);
    assert_ptr_equal(step.type, pcm_config_type_find(f.config, "C"));
    assert_int_equal(pcm_matrices_set_step(matrices, -1), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_matrices_set_step(matrices, 0), PCM_OK);
    pcm_contact_matrices again = {.size = sizeof again};
    assert_int_equal(pcm_matrices_contact(matrices, contact, &again), PCM_OK);
    assert_memory_equal(again.stiffness, tangent.stiffness, sizeof tangent.stiffness);
    assert_memory_equal(again.damping, tangent.damping, sizeof tangent.damping);
    assert_true(tangent.states[28] == 0);
    pcm_matrices_free(matrices);
    fixture_close(&f);
}

/* A body of 1 kg that 20 springs share, and one of 0.1 kg on its own: m / 3.5 / 20 is less than 0.1 / 3.5. */
static void the_least_step_is_that_of_the_least_share(void **state)
{
    (void)state;
    static const char text[] = "ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 50; };\nDefaultPair -> C;\n";
    fixture           f;
    fixture_open_with(&f, TEST_PLUGINS, text, NULL);
    pcm_world       *world = f.world;
    const pcm_object ground = pcm_world_add_object(world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const pcm_object light = pcm_world_add_object(world, &PCM_OBJECT(.name = "light", .mass = 0.1));
    const pcm_object heavy = pcm_world_add_object(world, &PCM_OBJECT(.name = "heavy", .mass = 1));
    pcm_matrices    *matrices = pcm_matrices_new(world);
    assert_non_null(matrices);
    assert_true(isnan(pcm_matrices_least_step(matrices, NULL)));
    for (int missing = 0; missing < 2; missing++) {
        pcm_contact_matrices worst = {.size = sizeof worst};
        const uint64_t       shares = missing ? 4 : 20; /* contacts that are not touched keep their share */
        for (uint64_t i = 0; i < shares; i++)
            (void)pcm_world_touch(world, ground, heavy, &(pcm_touch){.feature = i, .normal = {0, 0, 1}, .depth = 1e-4},
                                  sizeof(pcm_touch));
        if (!missing)
            (void)pcm_world_touch(world, ground, light, &(pcm_touch){.normal = {0, 0, 1}, .depth = 1e-4},
                                  sizeof(pcm_touch));
        assert_int_equal(pcm_world_update(world, 1e-3 * missing, 1e-3), PCM_OK);
        const double m = 1 / 3.5 / 20, h = pcm_matrices_least_step(matrices, &worst);
        assert_true(fabs(h * h * 1e5 + 2 * h * 50 - 4 * m) < 1e-12);
        assert_int_equal(worst.follower.index, heavy.index);
        assert_true(worst.stiffness[35] > 0 && worst.reported);
        if (!missing)
            assert_int_equal(pcm_world_commit(world), PCM_OK);
    }
    assert_int_equal(pcm_world_remove(world, heavy), PCM_OK);
    (void)pcm_world_touch(world, ground, light, &(pcm_touch){.normal = {0, 0, 1}, .depth = 1e-4}, sizeof(pcm_touch));
    assert_int_equal(pcm_world_update(world, 2e-3, 1e-3), PCM_OK);
    const double h = pcm_matrices_least_step(matrices, NULL);
    assert_true(fabs(h * h * 1e5 + 2 * h * 50 - 4 * 0.1 / 3.5) < 1e-12);
    pcm_matrices_free(matrices);
    fixture_close(&f);
}

/* A bristle that slides within the step that the host solves for: the advice is for explicit steps, which meet its
 * stiffness all the same. Its 1e6 N/m are ten times those along the normal. */
static void the_least_step_is_that_of_explicit_steps(void **state)
{
    (void)state;
    static const char text[] = "ContactType C = KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e5; Damping = 50; "
                               "Dahl.Stiffness = 1e6; Friction = 0.5; };\nDefaultPair -> C;\n";
    fixture           f;
    fixture_open_with(&f, TEST_PLUGINS, text, NULL);
    pcm_world           *world = f.world;
    const pcm_object     ground = pcm_world_add_object(world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const pcm_object     box = pcm_world_add_object(world, &PCM_OBJECT(.name = "box", .mass = 1));
    pcm_matrices        *matrices = pcm_matrices_new(world);
    pcm_contact_matrices worst = {.size = sizeof worst}, again = worst, solved = worst;
    assert_int_equal(pcm_world_move(world, box, &(pcm_pose){{0}, {1, 0, 0, 0}}, &(pcm_twist){{0}, {0.2, 0, 0}}),
                     PCM_OK);
    const pcm_contact contact =
        pcm_world_touch(world, ground, box, &(pcm_touch){.normal = {0, 0, 1}, .depth = 2e-5}, sizeof(pcm_touch));
    assert_int_equal(pcm_world_update(world, 1e-3, 1e-3), PCM_OK);
    const double h = pcm_matrices_least_step(matrices, &worst);
    assert_true(fabs(worst.stiffness[21] / 1e6 - 1) < 0.4);
    assert_int_equal(pcm_matrices_set_step(matrices, 1e-3), PCM_OK);
    assert_true(pcm_matrices_least_step(matrices, &again) == h);
    assert_memory_equal(again.stiffness, worst.stiffness, sizeof worst.stiffness);
    assert_int_equal(pcm_matrices_contact(matrices, contact, &solved), PCM_OK);
    assert_true(fabs(solved.stiffness[21]) < 1e-3 * worst.stiffness[21]);
    pcm_matrices_free(matrices);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_answer_for_the_wrench),
        cmocka_unit_test(matrices_of_a_list_are_those_of_each),
        cmocka_unit_test(step_advice_does_not_depend_on_the_step),
        cmocka_unit_test(friction_that_lets_go_is_no_spring),
        cmocka_unit_test(step_advice_is_that_of_a_mass_on_a_spring),
        cmocka_unit_test(matrices_of_a_step_know_that_friction_slides),
        cmocka_unit_test(the_least_step_is_that_of_the_least_share),
        cmocka_unit_test(the_least_step_is_that_of_explicit_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
