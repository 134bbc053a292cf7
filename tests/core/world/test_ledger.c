/* SPDX-License-Identifier: MIT */
/* The energy ledger: work done on the bodies, stored energy, heat, and the residue that does not add up. */
#include "fixture.h"
#include <math.h>
#include <stdlib.h>

typedef struct bounce {
    fixture    f;
    pcm_object ground, ball;
    double     last;       /* J, work on the ball at the last commit in contact */
    double     kinetic[2]; /* of the ball (1 kg): before and after */
} bounce;

/* A ball of 1 kg hits a spring (stiffness 1e4, damping 10) at 1 m/s and leaves it. `late` uses the previous step's
 * force, which adds energy. */
static void drop(bounce *b, const char *config, double dt, bool late)
{
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture_open(&b->f, config, &def);
    pcm_world *world = b->f.world;
    b->ground = pcm_world_add_object(world, &PCM_OBJECT(.name = "ground", .fixed = true));
    b->ball = pcm_world_add(world, "ball", NULL);
    double z = 0, v = -1, shown = 0;
    b->kinetic[0] = 0.5 * v * v;
    for (size_t i = 0; i == 0 || pcm_world_contact_count(world) > 0; i++) {
        assert_true(i < 100000);
        place(world, b->ball, 0, 0, 1, 0, 0, v);
        pcm_contact c = touch(world, b->ground, b->ball, 1, 0, 0, late ? -shown : -z);
        shown = z;
        assert_int_equal(pcm_world_update(world, dt * (double)i, dt), PCM_OK);
        double           force = wrench_of(world, b->ball).force[2];
        pcm_contact_info info = {.size = sizeof info};
        if (pcm_world_contact_info(world, c, &info) == PCM_OK)
            b->last = info.ledger->work;
        assert_int_equal(pcm_world_commit(world), PCM_OK);
        v += dt * force;
        z += dt * v;
    }
    b->kinetic[1] = 0.5 * v * v;
}

static pcm_ledger ledger_of(bounce *b)
{
    pcm_ledger ledger = {.size = sizeof ledger};
    assert_int_equal(pcm_world_type_ledger(b->f.world, pcm_config_type_at(b->f.config, 0), &ledger), PCM_OK);
    return ledger;
}

static void work_is_what_the_ball_gains(void **state)
{
    (void)state;
    bounce b;
    drop(&b, "ContactType C = Spring { Stiffness=10000; Damping=10; }; DefaultPair -> C;", 1e-5, false);
    pcm_ledger ledger = ledger_of(&b);
    assert_near(ledger.work, b.kinetic[1] - b.kinetic[0], 1e-13);
    assert_near(ledger.residue, -ledger.work, 1e-15); /* the law reports neither stored energy nor heat */
    assert_true(ledger.residue > 0.05);
    assert_near(b.last, ledger.work, 1e-3);
    assert_int_equal(b.f.messages, 0);
    fixture_close(&b.f);
}

/* If the force lags behind the motion, a spring returns more energy than it took. */
static void created_energy_is_reported_once(void **state)
{
    (void)state;
    bounce b;
    drop(&b, "ContactType C = Spring { Stiffness=10000; Damping=0; }; DefaultPair -> C;", 2e-3, true);
    assert_true(b.kinetic[1] > 1.2 * b.kinetic[0]);
    assert_int_equal(fixture_said(&b.f, 409), 1);
    assert_non_null(strstr(b.f.text[0], "'ground' and 'ball'"));
    fixture_close(&b.f);
}

/* With a step far too large the ball parts one step after it touched; the ledger has the energy that its single force
 * created. */
static void steps_that_part_tell_what_they_made(void **state)
{
    (void)state;
    bounce b;
    drop(&b, "ContactType C = Spring { Stiffness=10000; Damping=10; }; DefaultPair -> C;", 0.05, false);
    const double gained = b.kinetic[1] - b.kinetic[0];
    assert_true(gained > 50);
    assert_near(ledger_of(&b).work, gained, 1e-13 * gained);
    assert_int_equal(fixture_said(&b.f, 409), 1);
    assert_non_null(strstr(b.f.text[0], "'ground' and 'ball'"));
    fixture_close(&b.f);
}

/* A beam of 1 kg and 0.1 kg m^2 falls and rotates, far from the world's origin, and its ends hit the ground in turn. A
 * host that stops reporting a contact when it parts gets the same ledger, and so does a restored world. */
typedef struct beam {
    pcm_world *world;
    pcm_object ground, beam;
    double     x, z, turn, speed[3]; /* along x and z, and about y */
} beam;

static void step_beam(beam *b, double dt, size_t i)
{
    const double    arm = 0.5, mass = 1, inertia = 0.1, normal[3] = {0, 0, 1};
    const pcm_pose  pose = {{b->x, 0, b->z}, {cos(b->turn / 2), 0, sin(b->turn / 2), 0}};
    const pcm_twist twist = {.linear = {b->speed[0], 0, b->speed[1]}, .angular = {0, b->speed[2], 0}};
    assert_int_equal(pcm_world_move(b->world, b->beam, &pose, &twist), PCM_OK);
    for (int end = -1; end <= 1; end += 2) {
        const double point[3] = {b->x + end * arm * cos(b->turn), 0, b->z - end * arm * sin(b->turn)};
        if (point[2] < 0)
            touch_with(b->world, b->ground, b->beam, (uint64_t)(end + 1), point, normal, -point[2]);
    }
    assert_int_equal(pcm_world_update(b->world, dt * (double)i, dt), PCM_OK);
    const pcm_wrench wrench = wrench_of(b->world, b->beam);
    assert_int_equal(pcm_world_commit(b->world), PCM_OK);
    b->speed[0] += dt * wrench.force[0] / mass;
    b->speed[1] += dt * (wrench.force[2] / mass - 9.81);
    b->speed[2] += dt * wrench.torque[1] / inertia;
    b->x += dt * b->speed[0];
    b->z += dt * b->speed[1];
    b->turn += dt * b->speed[2];
}

static double energy_of(const beam *b)
{
    return 0.5 * (b->speed[0] * b->speed[0] + b->speed[1] * b->speed[1] + 0.1 * b->speed[2] * b->speed[2]);
}

static beam put_beam(pcm_world *world)
{
    beam b = {.world = world, .x = 100, .z = 0.25, .turn = 0.4, .speed = {0.3, -1, 2}};
    b.ground = pcm_world_add_object(world, &PCM_OBJECT(.name = "ground", .fixed = true));
    b.beam = pcm_world_add(world, "beam", NULL);
    return b;
}

static double work_of(const fixture *f, const pcm_world *world)
{
    pcm_ledger ledger = {.size = sizeof ledger};
    assert_int_equal(pcm_world_type_ledger(world, pcm_config_type_at(f->config, 0), &ledger), PCM_OK);
    return ledger.work;
}

/* Does one step of it, and the same step in a copy restored from a checkpoint. */
static void step_both(const fixture *f, beam *b, pcm_world *copy, double dt, size_t i)
{
    const size_t size = pcm_world_checkpoint_size(b->world);
    void        *bytes = malloc(size);
    assert_int_equal(pcm_world_checkpoint_save(b->world, bytes, size), PCM_OK);
    assert_int_equal(pcm_world_checkpoint_restore(copy, bytes, size), PCM_OK);
    beam again = *b;
    again.world = copy;
    step_beam(&again, dt, i);
    step_beam(b, dt, i);
    assert_true(work_of(f, b->world) == work_of(f, copy));
    free(bytes);
}

/* Returns the error of the work, relative to the energy that the beam gained from it. */
static double turn_beam(double dt)
{
    fixture       f;
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture_open(&f, "ContactType C = Spring { Stiffness=30000; Damping=5; }; DefaultPair -> C;", &def);
    beam         b = put_beam(f.world), other = put_beam(fixture_world(&f, &def));
    double       gravity = 0; /* its work */
    size_t       parted = 0;
    const double before = energy_of(&b);
    for (size_t i = 0; parted < 6 || pcm_world_contact_count(b.world) > 0; i++) {
        const size_t live = pcm_world_contact_count(b.world);
        const double speed = b.speed[1];
        assert_true(i < 100000);
        step_both(&f, &b, other.world, dt, i);
        gravity -= dt * 9.81 * (speed + b.speed[1]) / 2;
        parted += live > pcm_world_contact_count(b.world);
    }
    const double gained = energy_of(&b) - before - gravity, error = fabs(work_of(&f, b.world) - gained) / fabs(gained);
    pcm_world_free(other.world);
    fixture_close(&f);
    return error;
}

static void turning_bodies_are_in_the_ledger(void **state)
{
    (void)state;
    assert_true(turn_beam(5e-3) < 1e-12); /* about three steps per touch */
    assert_true(turn_beam(1e-4) < 1e-12);
}

/* The info of the only contact after some steps of 1 s, while the follower leaves at 1 m/s. */
static pcm_contact_info creep(fixture *f, int steps)
{
    pcm_object       a = pcm_world_add(f->world, "a", NULL), b = pcm_world_add(f->world, "b", NULL);
    pcm_contact_info info = {.size = sizeof info};
    place(f->world, b, 0, 0, 0, 0, 0, 1);
    for (int i = 0; i < steps; i++) {
        touch(f->world, a, b, 1, 0, 0, 0.1);
        assert_int_equal(pcm_world_update(f->world, i, 1), PCM_OK);
        assert_int_equal(pcm_world_commit(f->world), PCM_OK);
    }
    assert_int_equal(pcm_world_contact_at(f->world, 0, &info), PCM_OK);
    return info;
}

static void worlds_without_a_ledger_say_nothing(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Creep; DefaultPair -> C;", NULL);
    pcm_contact_info info = creep(&f, 5);
    assert_true(info.energy > 0);
    assert_near(info.ledger->work, 0, 0);
    assert_near(info.ledger->stored, 0, 0);
    fixture_close(&f);
}

/* Bond turns 2 W into heat, for three steps of 0.5 s; its terminate tells 3 J that it still stores as it breaks. */
static void what_an_ended_contact_stored_is_dissipated(void **state)
{
    (void)state;
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture f;
    fixture_open(&f, "ContactType B = Bond { Stiffness=0; Gap=1 [mm]; Reach=10 [mm]; }; DefaultPair -> B;", &def);
    const pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    for (int i = 0; i < 3; i++) {
        touch(f.world, a, b, 1, 0, 0, i < 2 ? 1e-3 : -2e-3);
        assert_int_equal(pcm_world_update(f.world, 0.5 * i, 0.5), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(pcm_world_contact_count(f.world), 0);
    pcm_ledger ledger = {.size = sizeof ledger};
    assert_int_equal(pcm_world_type_ledger(f.world, pcm_config_type_at(f.config, 0), &ledger), PCM_OK);
    assert_near(ledger.dissipated, 3 * 2 * 0.5 + 3, 1e-15);
    assert_near(ledger.stored, 0, 0);
    fixture_close(&f);
}

/* Computed by hand: Creep's force f = 100 c on a follower that leaves at 1 m/s, where c changes by 0.1 - c in a step, t
 * = 0, 1, 2: no force in the first step, 10 N in the second. */
static void forces_are_held_over_steps(void **state)
{
    (void)state;
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture f;
    fixture_open(&f, "ContactType C = Creep; DefaultPair -> C;", &def);
    pcm_contact_info info = creep(&f, 3);
    assert_near(info.ledger->work, 0 + 10, 1e-13);
    assert_near(info.ledger->stored, 50 * 0.1 * 0.1, 1e-15);
    assert_near(info.ledger->residue, -10 - 0.5, 1e-13);
    fixture_close(&f);
}

/* As with a solver: a spring of 100 N/m relaxes from 0.3 m at 1 m/s, and is updated every 0.1 s with dt = 0. */
static void sums_of_solvers_are_trapezoidal(void **state)
{
    (void)state;
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture f;
    fixture_open(&f, "ContactType C = Spring { Stiffness=100; Damping=0; }; DefaultPair -> C;", &def);
    const pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    for (int i = 0; i < 5; i++) {
        const double z = -0.3 + 0.1 * i;
        place(f.world, b, 0, 0, z, 0, 0, 1);
        if (z < -0.05)
            touch(f.world, a, b, 1, 0, 0, -z);
        assert_int_equal(pcm_world_update(f.world, 0.1 * i, 0), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_near(work_of(&f, f.world), 0.1 * (30 / 2.0 + 20 + 10), 1e-13);
    fixture_close(&f);
}

/* A foot is pressed 1 cm into the ground at 1 m/s and lifted again, on two points that share a spring. */
enum { STEPS = 100 };
static const double whole = 0.5 * 1e4 * 0.01 * 0.01; /* J, of the spring at the deepest point */

typedef struct press {
    fixture    f;
    pcm_object ground, foot;
} press;

static void put_foot(press *p, bool ledger)
{
    pcm_world_def def = pcm_world_defaults();
    def.ledger = ledger;
    fixture_open(&p->f, "ContactType C = Elastic { Sticky = 0; Patch = Shared; }; DefaultPair -> C;", &def);
    p->ground = pcm_world_add_object(p->f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    p->foot = pcm_world_add(p->f.world, "foot", NULL);
}

/* Does the steps from `first` up to `end` of 2 * STEPS; a share below 0: the point is not touched. */
static void move_foot(const press *p, pcm_world *world, size_t first, size_t end, double left, double right)
{
    for (size_t i = first; i < end; i++) {
        const bool   falls = i < STEPS;
        const double depth = 1e-4 * (double)(falls ? i : 2 * STEPS - i);
        place(world, p->foot, 0, 0, -depth, 0, 0, falls ? -1 : 1);
        for (uint64_t k = 0; k < 2; k++) {
            const pcm_touch touch = {.feature = k + 1,
                                     .normal = {0, 0, 1},
                                     .depth = depth,
                                     .share = k == 0 ? left : right,
                                     .gives = PCM_SHARE};
            if (touch.share >= 0)
                assert_true(pcm_world_touch(world, p->ground, p->foot, &touch, sizeof touch).generation != 0);
        }
        assert_int_equal(pcm_world_update(world, 1e-4 * (double)i, 1e-4), PCM_OK);
        assert_int_equal(pcm_world_commit(world), PCM_OK);
    }
}

static pcm_ledger all_of(const press *p, const pcm_world *world)
{
    pcm_ledger ledger = {.size = sizeof ledger};
    assert_int_equal(pcm_world_type_ledger(world, pcm_config_type_at(p->f.config, 0), &ledger), PCM_OK);
    return ledger;
}

/* One point takes up all energy, the other returns it. */
static void points_hand_on_what_they_hold(void **state)
{
    (void)state;
    for (int ledger = 0; ledger < 2; ledger++) {
        press p;
        put_foot(&p, ledger);
        move_foot(&p, p.f.world, 0, STEPS, 1, 0);
        move_foot(&p, p.f.world, STEPS, 2 * STEPS, 0, 1);
        move_foot(&p, p.f.world, 2 * STEPS, 2 * STEPS + 2, -1, -1);
        assert_int_equal(pcm_world_contact_count(p.f.world), 0);
        assert_int_equal(p.f.messages, 0);
        if (ledger)
            assert_near(all_of(&p, p.f.world).residue, 0,
                        0.04 * whole); /* each force lags by a hundredth of the distance */
        fixture_close(&p.f);
    }
}

/* The points begin at a depth, as when bodies overlap at the start, or at new points of a patch. */
static void a_contact_that_begins_deep_brings_energy(void **state)
{
    (void)state;
    for (int ledger = 0; ledger < 2; ledger++) {
        press p;
        put_foot(&p, ledger);
        move_foot(&p, p.f.world, STEPS, 2 * STEPS, -1, 1);
        move_foot(&p, p.f.world, 2 * STEPS, 2 * STEPS + 2, -1, -1);
        assert_int_equal(pcm_world_contact_count(p.f.world), 0);
        assert_int_equal(p.f.messages, 0);
        const pcm_ledger sum = all_of(&p, p.f.world);
        assert_near(sum.brought, ledger ? whole : 0, 1e-15);
        assert_near(sum.work, ledger ? whole : 0, 0.02 * whole);
        assert_near(sum.residue, sum.brought - sum.work, 1e-15);
        fixture_close(&p.f);
    }
}

/* A contact that falls to that depth within a step brings no energy along: the step is too large. */
static void a_fast_contact_brings_no_energy(void **state)
{
    (void)state;
    bounce b;
    drop(&b, "ContactType C = Elastic { Sticky = 0; }; DefaultPair -> C;", 0.05, false);
    assert_near(ledger_of(&b).brought, 0, 0);
    assert_int_equal(fixture_said(&b.f, 409), 1);
    fixture_close(&b.f);
}

/* The first point returns twice the energy that it took, and ends. Its pair is judged when the second contact, which
 * did nothing, ends. */
static void pairs_are_judged_with_their_last_contact(void **state)
{
    (void)state;
    for (int restored = 0; restored < 2; restored++) {
        press         p;
        pcm_world_def def = pcm_world_defaults();
        def.ledger = true;
        put_foot(&p, true);
        pcm_world *world = p.f.world, *other = fixture_world(&p.f, &def);
        pcm_world_add_object(other, &PCM_OBJECT(.name = "ground", .fixed = true));
        pcm_world_add(other, "foot", NULL);
        move_foot(&p, world, 0, STEPS, 0.5, 0);
        move_foot(&p, world, STEPS, 2 * STEPS - 1, 1, 0);
        move_foot(&p, world, 2 * STEPS - 1, 2 * STEPS, -1, 0);
        assert_int_equal(pcm_world_contact_count(world), 1);
        assert_int_equal(p.f.messages, 0);
        unsigned char bytes[4096];
        const size_t  size = pcm_world_checkpoint_size(world);
        assert_true(size <= sizeof bytes);
        assert_int_equal(pcm_world_checkpoint_save(world, bytes, size), PCM_OK);
        assert_int_equal(pcm_world_checkpoint_restore(other, bytes, size), PCM_OK);
        assert_true(all_of(&p, other).residue == all_of(&p, world).residue);
        move_foot(&p, restored ? other : world, 2 * STEPS, 2 * STEPS + 2, -1, -1);
        assert_int_equal(fixture_said(&p.f, 409), 1);
        assert_non_null(strstr(p.f.text[0], "contacts of 'ground' and 'foot' added 0.2"));
        pcm_world_free(other);
        fixture_close(&p.f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_what_the_ball_gains),
        cmocka_unit_test(created_energy_is_reported_once),
        cmocka_unit_test(worlds_without_a_ledger_say_nothing),
        cmocka_unit_test(steps_that_part_tell_what_they_made),
        cmocka_unit_test(turning_bodies_are_in_the_ledger),
        cmocka_unit_test(what_an_ended_contact_stored_is_dissipated),
        cmocka_unit_test(forces_are_held_over_steps),
        cmocka_unit_test(sums_of_solvers_are_trapezoidal),
        cmocka_unit_test(points_hand_on_what_they_hold),
        cmocka_unit_test(a_contact_that_begins_deep_brings_energy),
        cmocka_unit_test(a_fast_contact_brings_no_energy),
        cmocka_unit_test(pairs_are_judged_with_their_last_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
