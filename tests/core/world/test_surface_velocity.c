/* SPDX-License-Identifier: MIT */
/* A surface that moves on its body acts like a body that moves, in its tangent plane: with the same forces, from
 * the next update on, through checkpoints, and by a material of the file. */
#include "fixture.h"
#include <pcm/messages.h>
#include <pcm/setting.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAWS                                                                                                           \
    "ContactType Tread = Hertz + Dahl + Twisting + RollingResistance { ReducedModulus = 1e7; Dahl.Stiffness = 1e4; "   \
    "Dahl.Friction = 0.5; ReducedShearModulus = 1e7; Twisting.Friction = 0.5; RollingFriction = 0.02; "                \
    "}; DefaultPair -> Tread; "

typedef struct belt {
    pcm_world *world;
    pcm_object belt, box;
} belt;

static belt belt_of(pcm_world *world, const char *surface)
{
    belt b = {.world = world};
    b.belt = pcm_world_add_object(world, &PCM_OBJECT(.name = "belt", .surface = surface));
    b.box = pcm_world_add_object(world, &PCM_OBJECT(.name = "box", .radius = 0.1));
    return b;
}

/* A quarter turn about z, tipped a little about x. */
static pcm_pose tilted(void)
{
    const double c = cos(0.05), s = sin(0.05), h = sqrt(0.5);
    return (pcm_pose){{1, 2, 0.5}, {h * c, h * s, h * s, h * c}};
}

/* A step in which the box slides and turns; the belt's body moves by `twist`. */
static void step(const belt *b, const pcm_twist *twist, int number)
{
    const double    t = 1e-3 * number, normal[3] = {0, -0.6, 0.8}, point[3] = {1.1, 2.2, 0.65};
    const pcm_pose  at = tilted(), box = {{1.1, 2.14, 0.73}, {1, 0, 0, 0}};
    const pcm_twist moves = {{0.3, 0.1 * cos(30 * t), -0.2}, {0.02 * cos(20 * t), 0.016, 0.012}};
    assert_int_equal(pcm_world_move(b->world, b->belt, &at, twist), PCM_OK);
    assert_int_equal(pcm_world_move(b->world, b->box, &box, &moves), PCM_OK);
    (void)touch_with(b->world, b->belt, b->box, 7, point, normal, 1e-3);
    assert_int_equal(pcm_world_update(b->world, t, 1e-3), PCM_OK);
}

static pcm_ledger ledger_of(const pcm_world *world)
{
    pcm_ledger      ledger = {.size = sizeof ledger};
    const pcm_type *type = pcm_config_type_at(pcm_world_config(world), 0);
    assert_int_equal(pcm_world_type_ledger(world, type, &ledger), PCM_OK);
    return ledger;
}

static void commit(const belt *b) { assert_int_equal(pcm_world_commit(b->world), PCM_OK); }

static void assert_close(pcm_wrench one, pcm_wrench other)
{
    for (int k = 0; k < 3; k++) {
        assert_near(one.force[k], other.force[k], 1e-11); /* of 100 N */
        assert_near(one.torque[k], other.torque[k], 1e-11);
    }
}

/* The body's axes to the world's. */
static pcm_twist in_world(const pcm_twist *own)
{
    const pcm_pose at = tilted();
    const double  *q = at.orientation;
    pcm_twist      world = {{0}, {0}};
    const double   m[3][3] = {
          {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]), 2 * (q[1] * q[3] + q[0] * q[2])},
          {2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1])},
          {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            world.angular[i] += m[i][k] * own->angular[k];
            world.linear[i] += m[i][k] * own->linear[k];
        }
    return world;
}

/* The twist of a body whose surface does what the body of a belt would do, without the part along the normal. */
static pcm_twist without_approach(pcm_twist twist)
{
    const double n[3] = {0, -0.6, 0.8}, arm[3] = {0.1, 0.2, 0.15}, *w = twist.angular;
    const double v[3] = {twist.linear[0] + w[1] * arm[2] - w[2] * arm[1],
                         twist.linear[1] + w[2] * arm[0] - w[0] * arm[2],
                         twist.linear[2] + w[0] * arm[1] - w[1] * arm[0]};
    const double along = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
    for (int k = 0; k < 3; k++)
        twist.linear[k] -= along * n[k];
    return twist;
}

static const pcm_twist at_rest = {{0}, {0}}, runs = {{0.4, -0.2, 1.5}, {0.3, 0.05, -0.1}};

static void a_moving_surface_acts_like_a_moving_body(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAWS, NULL);
    const belt      surface = belt_of(f.world, NULL), body = belt_of(pcm_world_new(f.config, NULL), NULL);
    const pcm_twist moves = without_approach(in_world(&runs));
    pcm_twist       read;
    assert_int_equal(pcm_world_set_surface_velocity(surface.world, surface.belt, &runs), PCM_OK);
    assert_int_equal(pcm_world_surface_velocity(surface.world, surface.belt, &read), PCM_OK);
    assert_memory_equal(&read, &runs, sizeof read);
    for (int i = 1; i < 100; i++) {
        step(&surface, &at_rest, i);
        step(&body, &moves, i);
        assert_close(wrench_of(surface.world, surface.box), wrench_of(body.world, body.box));
        commit(&surface);
        commit(&body);
    }
    assert_true(fabs(wrench_of(surface.world, surface.box).force[0]) > 1);
    assert_int_equal(f.messages, 0);
    pcm_world_free(body.world);
    fixture_close(&f);
}

/* The follower's surface may move too: two equal ones slide by nothing, and one alone is the reaction of the other. */
static void both_sides_may_move(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAWS, NULL);
    const pcm_twist ahead = {{0}, {0.5, 0, 0}}, back = {{0}, {-0.5, 0, 0}};
    pcm_wrench      wrench[4];
    for (int sides = 0; sides < 4; sides++) {
        const belt b = belt_of(pcm_world_new(f.config, NULL), NULL);
        place(b.world, b.belt, 0, 0, 0, 0, 0, 0);
        place(b.world, b.box, 0, 0, 0.1, 0, 0, 0);
        if (sides & 1)
            assert_int_equal(pcm_world_set_surface_velocity(b.world, b.belt, &ahead), PCM_OK);
        if (sides & 2)
            assert_int_equal(pcm_world_set_surface_velocity(b.world, b.box, sides == 2 ? &back : &ahead), PCM_OK);
        touch(b.world, b.belt, b.box, 0, 0, 0, 1e-3);
        assert_int_equal(pcm_world_update(b.world, 0, 1e-3), PCM_OK);
        commit(&b);
        touch(b.world, b.belt, b.box, 0, 0, 0, 1e-3);
        assert_int_equal(pcm_world_update(b.world, 1e-3, 1e-3), PCM_OK);
        wrench[sides] = wrench_of(b.world, b.box);
        pcm_world_free(b.world);
    }
    assert_true(wrench[1].force[0] > 1);
    assert_memory_equal(&wrench[1].force, &wrench[2].force, sizeof wrench[1].force);
    assert_memory_equal(&wrench[0].force, &wrench[3].force, sizeof wrench[0].force);
    fixture_close(&f);
}

/* What is set after an update is the next one's: its commit, and the reports of it, are those of what it read. */
static void a_trial_keeps_what_it_read(void **state)
{
    (void)state;
    fixture       f;
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture_open_with(&f, TEST_PLUGINS, LAWS, &def);
    const belt changed = belt_of(f.world, NULL), kept = belt_of(pcm_world_new(f.config, &def), NULL);
    assert_int_equal(pcm_world_set_surface_velocity(changed.world, changed.belt, &runs), PCM_OK);
    assert_int_equal(pcm_world_set_surface_velocity(kept.world, kept.belt, &runs), PCM_OK);
    for (int i = 1; i < 50; i++) {
        step(&changed, &at_rest, i);
        step(&kept, &at_rest, i);
        const pcm_wrench one = wrench_of(changed.world, changed.box), other = wrench_of(kept.world, kept.box);
        assert_memory_equal(&one, &other, sizeof one);
        assert_int_equal(pcm_world_set_surface_velocity(changed.world, changed.belt, &at_rest), PCM_OK);
        commit(&changed);
        commit(&kept);
        assert_int_equal(pcm_world_set_surface_velocity(changed.world, changed.belt, &runs), PCM_OK);
    }
    const pcm_ledger one = ledger_of(changed.world), other = ledger_of(kept.world);
    assert_memory_equal(&one, &other, sizeof one);
    pcm_world_free(kept.world);
    fixture_close(&f);
}

static void a_checkpoint_has_surfaces(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAWS, NULL);
    const belt      first = belt_of(f.world, NULL), second = belt_of(pcm_world_new(f.config, NULL), NULL);
    const pcm_twist other = {{0, 0, 3}, {1, 0, 0}};
    assert_int_equal(pcm_world_set_surface_velocity(first.world, first.belt, &runs), PCM_OK);
    assert_int_equal(pcm_world_set_surface_velocity(second.world, second.box, &other), PCM_OK);
    for (int i = 1; i < 20; i++) {
        step(&first, &at_rest, i);
        commit(&first);
    }
    const size_t size = pcm_world_checkpoint_size(first.world);
    void        *bytes = malloc(size);
    assert_int_equal(pcm_world_checkpoint_save(first.world, bytes, size), PCM_OK);
    assert_int_equal(pcm_world_checkpoint_restore(second.world, bytes, size), PCM_OK);
    for (int i = 20; i < 40; i++) {
        step(&first, &at_rest, i);
        step(&second, &at_rest, i);
        const pcm_wrench one = wrench_of(first.world, first.box), two = wrench_of(second.world, second.box);
        assert_memory_equal(&one, &two, sizeof one);
        commit(&first);
        commit(&second);
    }
    free(bytes);
    pcm_world_free(second.world);
    fixture_close(&f);
}

static void a_material_gives_its_objects_a_velocity(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS,
                      LAWS "Let speed = 0.3; Material Rubber { SurfaceVelocity = (speed, 5 [cm/s], -10 [cm/s]); }; "
                           "Material Conveyor = Rubber { SurfaceSpin = (0.4, -0.2, 1.5) [rad/s]; }; "
                           "Surface Conveyor = belt;",
                      NULL);
    const belt      by_file = belt_of(f.world, NULL), by_call = belt_of(pcm_world_new(f.config, NULL), "");
    const pcm_twist zero = {{0}, {0}};
    pcm_twist       read;
    assert_int_equal(pcm_world_surface_velocity(f.world, by_file.belt, &read), PCM_OK);
    assert_memory_equal(&read, &runs, sizeof read);
    assert_int_equal(pcm_world_surface_velocity(f.world, by_file.box, &read), PCM_OK);
    assert_memory_equal(&read, &zero, sizeof read);
    assert_int_equal(pcm_world_set_surface_velocity(by_call.world, by_call.belt, &runs), PCM_OK);
    step(&by_file, &at_rest, 1);
    step(&by_call, &at_rest, 1);
    const pcm_wrench one = wrench_of(by_file.world, by_file.box), other = wrench_of(by_call.world, by_call.box);
    assert_memory_equal(&one, &other, sizeof one);
    assert_int_equal(f.messages, 0);
    pcm_world_free(by_call.world);
    fixture_close(&f);
}

/* A belt of 2 m/s takes a box with it: the contact dissipates the work m v^2 / 2 of the slip in the end. */
static void the_ledger_closes_on_a_belt(void **state)
{
    (void)state;
    const double  mass = 1, weight = 9.81, speed = 2, dt = 1e-4;
    fixture       f;
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture_open_with(&f, TEST_PLUGINS,
                      "ContactType C = KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e5; Damping = 500; "
                      "Dahl.Stiffness = 1e5; Friction = 0.5; }; DefaultPair -> C;",
                      &def);
    const belt b = belt_of(f.world, NULL);
    double     x = 0, v = 0;
    assert_int_equal(pcm_world_set_surface_velocity(b.world, b.belt, &(const pcm_twist){{0}, {speed, 0, 0}}), PCM_OK);
    for (int i = 0; i < 10000; i++) {
        place(b.world, b.box, x, 0, 0, v, 0, 0);
        touch(b.world, b.belt, b.box, 0, x, 0, mass * weight / 1e5);
        assert_int_equal(pcm_world_update(b.world, i * dt, dt), PCM_OK);
        v += dt * wrench_of(b.world, b.box).force[0] / mass;
        x += dt * v;
        commit(&b);
    }
    const pcm_ledger ledger = ledger_of(b.world);
    assert_near(v, speed, 1e-3);
    assert_near(ledger.dissipated, 0.5 * mass * speed * speed, 2e-3); /* the bristle's own stroke */
    assert_near(ledger.residue, 0, 1e-3);
    fixture_close(&f);
}

static void bad_velocities_are_rejected(void **state)
{
    (void)state;
    fixture f;
    fixture_open_with(&f, TEST_PLUGINS, LAWS, NULL);
    const belt      b = belt_of(f.world, NULL);
    const pcm_twist bad[] = {{{0}, {NAN, 0, 0}}, {{0, INFINITY, 0}, {0}}};
    pcm_twist       read;
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pcm_world_set_surface_velocity(b.world, b.belt, &bad[i]), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_set_surface_velocity(b.world, b.belt, NULL), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_remove(b.world, b.belt), PCM_OK);
    assert_int_equal(pcm_world_set_surface_velocity(b.world, b.belt, &runs), PCM_BAD_HANDLE);
    assert_int_equal(pcm_world_surface_velocity(b.world, b.belt, &read), PCM_BAD_HANDLE);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moving_surface_acts_like_a_moving_body),
        cmocka_unit_test(both_sides_may_move),
        cmocka_unit_test(a_trial_keeps_what_it_read),
        cmocka_unit_test(a_checkpoint_has_surfaces),
        cmocka_unit_test(a_material_gives_its_objects_a_velocity),
        cmocka_unit_test(the_ledger_closes_on_a_belt),
        cmocka_unit_test(bad_velocities_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
