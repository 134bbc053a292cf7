/* SPDX-License-Identifier: MIT */
/* Sleeping bodies with contacts of laws. */
#include "mujoco_fixture.h"

#include <string.h>

/* Two boxes, one on the other, and a ball at rest next to them. */
static const char stack[] =
    "<option timestep='1e-3'><flag sleep='enable'/></option><worldbody>"
    "<geom name='Floor' type='plane' size='5 5 0.1'/>"
    "<body pos='0 0 0.0999'><freejoint/><geom name='Low' type='box' size='0.1 0.1 0.1' mass='1'/></body>"
    "<body pos='0 0 0.2998'><freejoint/><geom name='High' type='box' size='0.1 0.1 0.1' mass='1'/></body>"
    "<body pos='-1 0 0.0499'><freejoint/><geom name='Ball' size='0.05' mass='1'/></body></worldbody>";
static const char rules[] =
    "ContactType C = KelvinVoigt + LuGre { Stiffness = 1e4; KelvinVoigt.Damping = 50; BristleStiffness = 5000; "
    "BristleDamping = 20; };\nDefaultPair -> C;\n";

enum { TREES = 3, STEPS = 4000, HIT = 2000, COORDINATES = 21, LOW = 0, HIGH = 1, BALL = 2 };

static bool sleeps(const fixture *f, int tree) { return f->data->tree_asleep[tree] >= 0; }

typedef struct run {
    double   end[COORDINATES];
    int      changes; /* how often a body fell asleep or awoke */
    int      woken;   /* the step at which the ball wakes it */
    bool     slept;   /* all bodies fell asleep before that */
    uint64_t made;
} run;

static run simulate(bool ours, bool lists)
{
    fixture f;
    run     r = {0};
    bool    slept[TREES] = {false};
    fixture_open(&f, stack, rules);
    fixture_list_contacts(&f, lists);
    for (int i = 0; i < STEPS; i++) {
        if (i == HIT) {
            r.slept = sleeps(&f, LOW) && sleeps(&f, HIGH) && sleeps(&f, BALL);
            f.data->qvel[6 * BALL] = 2;
        }
        if (ours)
            fixture_step(&f, 1);
        else
            mj_step(f.model, f.data);
        for (int tree = 0; tree < TREES; tree++) {
            r.changes += sleeps(&f, tree) != slept[tree];
            slept[tree] = sleeps(&f, tree);
        }
        if (i > HIT && !r.woken && !slept[LOW])
            r.woken = i;
        /* The step in which it is touched, and the next one, in which the lower box wakes the upper one. */
        assert_true(!r.woken || i != r.woken + 1 || !slept[HIGH]);
    }
    assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
    assert_int_equal(f.n_codes, 0);
    memcpy(r.end, f.data->qpos, sizeof r.end);
    r.made = fixture_made(&f);
    fixture_close(&f);
    return r;
}

/* Each of three bodies falls asleep, is woken and falls asleep again, once; the rolling ball does not. */
static void bodies_sleep_and_are_woken(void **state)
{
    (void)state;
    const run ours = simulate(true, true);
    assert_true(ours.slept);
    assert_int_equal(ours.changes, 3 + 3 + 2);
    assert_true(ours.end[0] > 1e-3); /* it was pushed */
    for (int i = 0; i < 3; i++) {
        const run other = simulate(i & 1, i & 2);
        assert_memory_equal(ours.end, other.end, sizeof ours.end);
        assert_int_equal(ours.changes, other.changes);
        assert_int_equal(ours.woken, other.woken);
        assert_int_equal(ours.made, other.made);
    }
}

/* MuJoCo finds no contact between the two bodies, but the law still holds them together. */
static void a_pull_across_a_gap_wakes(void **state)
{
    (void)state;
    static const char pair[] =
        "<option timestep='1e-3' gravity='0 0 0'><flag sleep='enable'/></option><worldbody>"
        "<body pos='0 0 0'><joint type='slide' axis='1 0 0'/><geom name='A' size='0.1' mass='1'/></body>"
        "<body pos='0.199999 0 0'><joint type='slide' axis='1 0 0'/><geom name='B' size='0.1' mass='1'/></body>"
        "</worldbody>";
    for (int lists = 0; lists < 2; lists++) {
        fixture f;
        fixture_open(&f, pair,
                     "ContactType C = SpringContact { K = 1000; B = 50; Z_Limit = 10 };\nDefaultPair -> C;\n");
        fixture_list_contacts(&f, lists);
        for (int i = 0; i < 1000; i++)
            mj_step(f.model, f.data);
        assert_int_equal(fixture_live(&f), 1);
        assert_true(sleeps(&f, 0) && sleeps(&f, 1));
        f.data->qpos[1] += 2e-3;
        for (int i = 0; i < 100; i++)
            mj_step(f.model, f.data);
        assert_int_equal(f.data->ncon, 0);
        assert_true(f.data->qpos[0] > 1e-4);
        assert_int_equal(pcm_mujoco_status(f.host), PCM_OK);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_sleep_and_are_woken),
        cmocka_unit_test(a_pull_across_a_gap_wakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
