/* SPDX-License-Identifier: MIT */
/* Whether energy in a heap comes from the law, the step, or points that come and go as bodies turn. */
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 18 };

/* The values that pcm suggest proposes for bodies of 1 kg that fall into a heap; the step must be below 0.12 ms. */
static const char suggested[] =
    "ContactType C = CompliantGround { Stiffness = 3.1e5; Damping = 3.8e3; Friction = 0.8; }; DefaultPair -> C;";
static const char   lively[] = "ContactType C = Lively; DefaultPair -> C;";
static const double step = 1e-4;

/* Bodies at different angles above a floor with walls; `pitch`: the distance between them. */
static void open_heap(fixture *f, const char *geom, double pitch, const char *rules, double timestep)
{
    char   scene[8192];
    size_t at = (size_t)snprintf(scene, sizeof scene,
                                 "<option timestep='%.17g'/><worldbody><geom name='Floor' type='plane' size='5 5 .1'/>"
                                 "<geom type='box' pos='1.05 0 .5' size='.75 .4 .5'/>"
                                 "<geom type='box' pos='-1.05 0 .5' size='.75 .4 .5'/>"
                                 "<geom type='box' pos='0 1.05 .5' size='.4 .75 .5'/>"
                                 "<geom type='box' pos='0 -1.05 .5' size='.4 .75 .5'/>",
                                 timestep);
    for (int i = 0; i < BODIES; i++)
        at +=
            (size_t)snprintf(scene + at, sizeof scene - at,
                             "<body pos='%g %g %g'><freejoint/><geom name='g%d' %s euler='%d %d %d' mass='1'/></body>",
                             pitch * (i % 3 - 1) + 0.003 * (i % 5), pitch * (i / 3 % 3 - 1) + 0.002 * (i % 7),
                             0.1 + pitch * (i / 9), i, geom, 67 * i % 360, 131 * i % 360, 29 * i % 360);
    (void)snprintf(scene + at, sizeof scene - at, "</worldbody>");
    fixture_open(f, scene, rules);
}

static void keep_account(fixture *f)
{
    pcm_mujoco_def def = fixture_defaults();
    def.ledger = true;
    def.advise_step = false;
    pcm_mujoco_free(f->host);
    f->host = pcm_mujoco_attach(f->context, f->config, f->model, f->data, &def);
    assert_non_null(f->host);
}

static void run(fixture *f, double time)
{
    while (f->data->time < time)
        fixture_step(f, 1);
}

static uint64_t parted(const fixture *f)
{
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_mujoco_rule_stats(f->host, 0, &stats), PCM_OK);
    return stats.parted;
}

static const char *const geoms[] = {"type='box' size='.05 .05 .05'", "type='cylinder' size='.05 .03'"};
enum { GEOMS = sizeof geoms / sizeof *geoms };

static pcm_ledger ledger_of(const fixture *f)
{
    pcm_ledger ledger = {.size = sizeof ledger};
    assert_int_equal(pcm_world_type_ledger(pcm_mujoco_world(f->host), pcm_config_type_at(f->config, 0), &ledger),
                     PCM_OK);
    return ledger;
}

/* Some of their energy does not come from motion, and this is reported. */
static void a_heap_that_is_well_is_not_accused(void **state)
{
    (void)state;
    for (size_t k = 0; k < GEOMS; k++) {
        fixture f;
        open_heap(&f, geoms[k], 0.18, suggested, step);
        keep_account(&f);
        run(&f, 1);
        const pcm_ledger sum = ledger_of(&f);
        assert_true(parted(&f) > 20);
        assert_int_equal(fixture_said(&f, PCM_MSG_ENERGY_CREATED), 0);
        assert_true(sum.brought > 0.005);
        assert_true(fabs(sum.residue) < 0.02 * sum.dissipated);
        fixture_close(&f);
    }
}

static void an_eased_heap_is_not_warned_of(void **state)
{
    (void)state;
    fixture f;
    open_heap(&f, "type='box' size='.05 .04 .03'", 0.075, suggested, step);
    keep_account(&f);
    assert_int_equal(pcm_mujoco_ease(f.host, 0.05), PCM_OK);
    run(&f, 0.7);
    assert_true(parted(&f) > 20);
    assert_int_equal(fixture_said(&f, PCM_MSG_ENERGY_CREATED), 0);
    fixture_close(&f);
}

/* The report names the step, even if no two bodies that have gained by it separate. */
static void a_step_too_large_is_reported(void **state)
{
    (void)state;
    for (size_t k = 0; k < GEOMS; k++) {
        fixture f;
        open_heap(&f, geoms[k], 0.18, suggested, 15 * step);
        run(&f, 0.4);
        assert_int_equal(fixture_said(&f, PCM_MSG_STEP_LARGE), 1);
        fixture_close(&f);
    }
}

/* The report names the cause: the law or the step. */
static void a_heap_that_gains_is_accused(void **state)
{
    (void)state;
    for (size_t k = 0; k < GEOMS; k++)
        for (int law = 0; law < 2; law++) {
            fixture f;
            open_heap(&f, geoms[k], 0.18, law ? lively : suggested, law ? step : 15 * step);
            keep_account(&f);
            while (f.data->time < 1.2 && fixture_said(&f, PCM_MSG_ENERGY_CREATED) == 0)
                fixture_step(&f, 1);
            assert_int_equal(fixture_said(&f, PCM_MSG_ENERGY_CREATED), 1);
            fixture_close(&f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heap_that_is_well_is_not_accused),
        cmocka_unit_test(an_eased_heap_is_not_warned_of),
        cmocka_unit_test(a_step_too_large_is_reported),
        cmocka_unit_test(a_heap_that_gains_is_accused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
