/* SPDX-License-Identifier: MIT */
/* The energy ledger: what went into the bodies, what is stored, what became heat, and what does not add up. */
#include "fixture.h"

typedef struct bounce {
    fixture    f;
    pcm_object ground, ball;
    double     last;       /* J, work on the ball at the last commit in contact */
    double     kinetic[2]; /* of the ball, 1 kg: before and after */
} bounce;

/* A ball of 1 kg falls on a spring (stiffness 1e4, damping 10) at 1 m/s and comes off again. `late` commits the force
 * of the step before, which feeds energy in. */
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
    /* The host's own steps err by the sum of (f dt)^2 / 2: 1e-5 s / 2 times 157 N^2 s, 8e-4 J. */
    assert_near(ledger.work, b.kinetic[1] - b.kinetic[0], 1e-3);
    assert_near(ledger.residue, -ledger.work, 1e-15); /* the law tells nothing of what it stores or turns into heat */
    assert_true(ledger.residue > 0.05);
    assert_near(b.last, ledger.work, 1e-3);
    assert_int_equal(b.f.messages, 0);
    fixture_close(&b.f);
}

/* A force that lags behind the motion makes a spring give back more than it took. */
static void created_energy_is_told_once(void **state)
{
    (void)state;
    bounce b;
    drop(&b, "ContactType C = Spring { Stiffness=10000; Damping=0; }; DefaultPair -> C;", 2e-3, true);
    assert_true(b.kinetic[1] > 1.2 * b.kinetic[0]);
    assert_int_equal(fixture_said(&b.f, 409), 1);
    assert_non_null(strstr(b.f.text[0], "'ground' and 'ball'"));
    fixture_close(&b.f);
}

/* Its only contact after some steps of 1 s, in which the follower leaves at 1 m/s. */
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

/* By hand: creep's force f = 100 c on a follower that leaves at 1 m/s, c stepped by c += 0.1 - c, t = 0, 1, 2. */
static void sums_are_trapezoidal(void **state)
{
    (void)state;
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture f;
    fixture_open(&f, "ContactType C = Creep; DefaultPair -> C;", &def);
    pcm_contact_info info = creep(&f, 3);
    assert_near(info.ledger->work, 0.5 * (0 + 10) + 0.5 * (10 + 10), 1e-13);
    assert_near(info.ledger->stored, 50 * 0.1 * 0.1, 1e-15);
    assert_near(info.ledger->residue, -15 - 0.5, 1e-13);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_what_the_ball_gains),
        cmocka_unit_test(created_energy_is_told_once),
        cmocka_unit_test(worlds_without_a_ledger_say_nothing),
        cmocka_unit_test(sums_are_trapezoidal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
