/* SPDX-License-Identifier: MIT */
#include "kit.h"
#include "../../core/fixture.h"

#include <math.h>
#include <string.h>

static const kit_engine *engine;

typedef struct run {
    fixture f; /* for its context and messages; its own world stays empty */
    void   *engine;
} run;

static void open_run(run *r, const kit_scene *scene)
{
    fixture_open_with(&r->f, TEST_PLUGINS, scene->rules, NULL);
    r->engine = engine->make(scene, r->f.context, r->f.config);
    assert_non_null(r->engine);
}

static void steps(run *r, int count)
{
    for (int i = 0; i < count; i++)
        engine->step(r->engine);
}

static void close_run(run *r)
{
    engine->free(r->engine);
    fixture_close(&r->f);
}

static void assert_made(const run *r, uint64_t wanted)
{
    if (!engine->world)
        return;
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(engine->world(r->engine), 0, &stats), PCM_OK);
    assert_int_equal(stats.made, wanted);
}

/* At steps of 1 ms, also for the rocking of the boxes. */
#define SPRING "ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 50; }; DefaultPair -> C;"
#define DRY(friction)                                                                                                  \
    "ContactType C = KelvinVoigt + CoulombRegularised { Stiffness = 1e5; Damping = 50; Friction = " #friction          \
    "; TransitionVelocity = 10 [mm/s]; }; DefaultPair -> C;"
#define BRISTLES                                                                                                       \
    "ContactType C = KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e5; Damping = 50; Dahl.Stiffness = 1e5; "           \
    "Friction = 0.5; }; DefaultPair -> C;"
#define DOWN                                                                                                           \
    {                                                                                                                  \
        0, 0, -9.81                                                                                                    \
    }

const kit_scene kit_ball = {"ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; DefaultPair -> C;",
                            1e-3,
                            DOWN,
                            1,
                            {{"Ball", .radius = 0.1, .mass = 1, .at = {0, 0, 0.1}}}};

static void a_ball_rests(void **state)
{
    (void)state;
    run             r;
    const kit_scene scene = {SPRING, 1e-3, DOWN, 1, {{"Ball", .radius = 0.1, .mass = 1, .at = {0, 0, 0.1}}}};
    open_run(&r, &scene);
    steps(&r, 2000);
    assert_near(engine->look(r.engine, 0).at[2], 0.1 - 9.81 / 1e5, engine->place);
    assert_int_equal(r.f.messages, 0);
    close_run(&r);
}

static void a_box_rests(void **state)
{
    (void)state;
    run             r;
    const kit_scene scene = {SPRING, 1e-3, DOWN, 1, {{"Box", 0, {0.2, 0.1, 0.05}, 1, {0, 0, 0.05}, {0}, {0}}}};
    open_run(&r, &scene);
    steps(&r, 2000);
    assert_near(engine->look(r.engine, 0).at[2], 0.05 - 9.81 / 4e5, engine->place);
    assert_made(&r, 4);
    close_run(&r);
}

/* On a slope of 20 degrees, whose tangent is 0.364: gravity leans. */
#define SLOPE                                                                                                          \
    {                                                                                                                  \
        9.81 * 0.3420201433256687, 0, -9.81 * 0.9396926207859084                                                       \
    }

static void bristles_hold_on_a_slope(void **state)
{
    (void)state;
    run             r;
    const kit_scene scene = {BRISTLES, 1e-3, SLOPE, 1, {{"Box", 0, {0.2, 0.1, 0.02}, 1, {0, 0, 0.02}, {0}, {0}}}};
    open_run(&r, &scene);
    steps(&r, 2000);
    const double settled = engine->look(r.engine, 0).at[0];
    steps(&r, 2000);
    assert_near(engine->look(r.engine, 0).at[0], settled,
                1e-5); /* while its bristles swing out, which have no dampers */
    assert_made(&r, 4);
    close_run(&r);
}

static void a_box_slides_down_a_slope(void **state)
{
    (void)state;
    run             r;
    const kit_scene scene = {DRY(0.2), 1e-3, SLOPE, 1, {{"Box", 0, {0.2, 0.1, 0.02}, 1, {0, 0, 0.02}, {0}, {0}}}};
    open_run(&r, &scene);
    steps(&r, 1000);
    const double before = engine->look(r.engine, 0).velocity[0];
    steps(&r, 1000);
    assert_near(engine->look(r.engine, 0).velocity[0] - before, 9.81 * (0.3420201433256687 - 0.2 * 0.9396926207859084),
                engine->slip);
    close_run(&r);
}

/* Features that name a contact by its number among the points would begin hundreds. */
static void a_box_that_turns_keeps_its_contacts(void **state)
{
    (void)state;
    run       r;
    kit_scene scene = {
        BRISTLES, 1e-3, DOWN, 1, {{"Box", 0, {0.2, 0.1, 0.02}, 1, {0, 0, 0.02 - 2.5e-5}, {1, 0.3, 0}, {0, 0, 6}}}};
    open_run(&r, &scene);
    steps(&r, 1);
    assert_made(&r, 4);
    steps(&r, 999);
    assert_made(&r, 4);
    const kit_motion end = engine->look(r.engine, 0);
    assert_true(fabs(end.spin[2]) < 1e-3 && fabs(end.velocity[0]) < 1e-3);
    close_run(&r);
}

/* A ball that skids ends at 5/7 of its speed. */
static void a_ball_comes_to_roll(void **state)
{
    (void)state;
    run             r;
    const kit_scene scene = {DRY(0.3),
                             1e-3,
                             DOWN,
                             1,
                             {{"Ball", .radius = 0.1, .mass = 1, .at = {0, 0, 0.1 - 9.81e-5}, .velocity = {1, 0, 0}}}};
    open_run(&r, &scene);
    steps(&r, 1000);
    const kit_motion end = engine->look(r.engine, 0);
    assert_near(end.velocity[0], 5.0 / 7, 1e-3);
    assert_near(end.spin[1] * 0.1, end.velocity[0], 1e-3);
    assert_made(&r, 1);
    close_run(&r);
}

static void momentum_stays(void **state)
{
    (void)state;
    run             r;
    const kit_scene scene = {DRY(0.3),
                             1e-4,
                             {0},
                             2,
                             {{"One", .radius = 0.1, .mass = 1, .at = {0, 0, 5}, .velocity = {1, 0, 0}},
                              {"Two", .radius = 0.2, .mass = 3, .at = {0.31, 0.05, 5}, .spin = {0, 0, 9}}}};
    open_run(&r, &scene);
    steps(&r, 2000);
    const kit_motion one = engine->look(r.engine, 0), two = engine->look(r.engine, 1);
    assert_made(&r, 1);
    for (int k = 0; k < 3; k++)
        assert_near(one.velocity[k] + 3 * two.velocity[k], k == 0, engine->momentum);
    assert_true(fabs(one.velocity[1]) > 0.01);
    close_run(&r);
}

static void a_step_too_large_is_told_once(void **state)
{
    (void)state;
    run             r;
    const kit_scene scene = {SPRING, 1e-2, DOWN, 1, {{"Ball", .radius = 0.1, .mass = 1, .at = {0, 0, 0.1}}}};
    open_run(&r, &scene);
    steps(&r, 20);
    assert_int_equal(fixture_said(&r.f, 614), 1);
    close_run(&r);
}

static void a_pair_without_a_rule_is_the_engines(void **state)
{
    (void)state;
    run             r;
    const kit_scene scene = {
        "ContactType C = KelvinVoigt { Stiffness = 1e5; Damping = 200; }; ObjectPair Ground * Ball -> C;",
        1e-3,
        DOWN,
        2,
        {{"Ball", .radius = 0.1, .mass = 1, .at = {0, 0, 0.1}},
         {"Ghost", .radius = 0.1, .mass = 1, .at = {1, 0, 0.1}}}};
    open_run(&r, &scene);
    steps(&r, 500);
    assert_near(engine->look(r.engine, 0).at[2], 0.1, 1e-3);
    const double ghost = engine->look(r.engine, 1).at[2];
    assert_true(engine->solves ? fabs(ghost - 0.1) < 0.01 : ghost < -0.5);
    close_run(&r);
}

#define BALLS cmocka_unit_test(a_ball_rests), cmocka_unit_test(a_ball_comes_to_roll), cmocka_unit_test(momentum_stays)

int kit_run(const kit_engine *under_test)
{
    const struct CMUnitTest tests[] = {
        BALLS,
        cmocka_unit_test(a_box_rests),
        cmocka_unit_test(bristles_hold_on_a_slope),
        cmocka_unit_test(a_box_slides_down_a_slope),
        cmocka_unit_test(a_box_that_turns_keeps_its_contacts),
        cmocka_unit_test(a_step_too_large_is_told_once),
        cmocka_unit_test(a_pair_without_a_rule_is_the_engines),
    };
    engine = under_test;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int kit_run_balls(const kit_engine *under_test)
{
    const struct CMUnitTest tests[] = {BALLS};
    engine = under_test;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
