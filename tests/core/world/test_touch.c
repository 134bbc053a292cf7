/* SPDX-License-Identifier: MIT */
/* Which touches belong to which contact, and how long contacts live. */
#include "fixture.h"

#include <math.h>
#include <time.h>

static const char *const rules = "ContactType C = Spring { Stiffness=1000; Damping=10; Limit=0.1; };\n"
                                 "ContactType S = Spring { Stiffness=1000; Damping=10; Single=true; };\n"
                                 "ContactType L = Brush { Separation=0.01 [m]; };\n"
                                 "ContactType P = Creep { Pushed=true; };\n"
                                 "ContactType B = Bond { Gap=1 [mm]; Reach=10 [mm]; };\n"
                                 "ObjectPair ground * ball -> C;\n"
                                 "ObjectPair ground * one -> S;\n"
                                 "ObjectPair ground * brush -> L;\n"
                                 "ObjectPair ground * pushed -> P;\n"
                                 "ObjectPair ground * bond -> B;\n";

typedef struct scene {
    fixture    f;
    pcm_object ground, ball, one, brush, pushed, bond, stranger;
    double     time;
} scene;

static int open_scene(void **state)
{
    static scene s;
    s = (scene){0};
    fixture_open(&s.f, rules, NULL);
    s.ball = pcm_world_add(s.f.world, "ball", NULL);
    s.ground = pcm_world_add(s.f.world, "ground", NULL);
    s.one = pcm_world_add(s.f.world, "one", NULL);
    s.brush = pcm_world_add(s.f.world, "brush", NULL);
    s.pushed = pcm_world_add(s.f.world, "pushed", NULL);
    s.bond = pcm_world_add(s.f.world, "bond", NULL);
    s.stranger = pcm_world_add(s.f.world, "stranger", NULL);
    *state = &s;
    return 0;
}

static int close_scene(void **state)
{
    fixture_close(&((scene *)*state)->f);
    return 0;
}

static void step(scene *s)
{
    assert_int_equal(pcm_world_update(s->f.world, s->time += 1e-3, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
}

static uint64_t id_of(scene *s, pcm_contact contact)
{
    pcm_contact_info info = {.size = sizeof info};
    return pcm_world_contact_info(s->f.world, contact, &info) == PCM_OK ? info.id : 0;
}

static void contacts_keep_their_identity(void **state)
{
    scene      *s = *state;
    pcm_contact a = touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.01);
    pcm_contact b = touch(s->f.world, s->ground, s->ball, 2, 1, 0, 0.02);
    step(s);
    assert_int_equal(id_of(s, a), 1);
    assert_int_equal(id_of(s, b), 2);
    pcm_contact again = touch(s->f.world, s->ground, s->ball, 2, 1, 0, 0.02);
    assert_memory_equal(&again, &b, sizeof b);
    step(s);
    assert_int_equal(id_of(s, a), 0); /* not touched: parted */
    assert_int_equal(id_of(s, b), 2);
    pcm_contact anew = touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.01);
    assert_memory_not_equal(&anew, &a, sizeof a);
    touch(s->f.world, s->ground, s->ball, 2, 1, 0, 0.02);
    step(s);
    assert_int_equal(id_of(s, anew), 3); /* ids are never reused */
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(s->f.world, 0, &stats), PCM_OK);
    assert_int_equal(stats.made, 3);
    assert_int_equal(stats.parted, 1);
    assert_near(stats.max_depth, 0.02, 0);
    assert_near(stats.max_force, 20, 1e-12);
}

/* Either order of the objects gives the same contact; the first name of the rule is the base. */
static void order_of_objects_is_free(void **state)
{
    scene       *s = *state;
    const double point[3] = {0}, down[3] = {0, 0, -1};
    pcm_contact  a = touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.01);
    step(s);
    pcm_contact b = touch_with(s->f.world, s->ball, s->ground, 1, point, down, 0.01);
    assert_memory_equal(&a, &b, sizeof a);
    step(s);
    assert_near(wrench_of(s->f.world, s->ball).force[2], 10, 1e-12);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_info(s->f.world, a, &info), PCM_OK);
    assert_string_equal(info.base_name, "ground");
    bool swapped;
    assert_non_null(pcm_world_pair(s->f.world, s->ground, s->ball, &swapped));
    assert_false(swapped);
    assert_non_null(pcm_world_pair(s->f.world, s->ball, s->ground, &swapped));
    assert_true(swapped);

    /* With a stored handle, the normal points away from the first touch's object a. */
    pcm_contact c = touch_with(s->f.world, s->ball, s->ground, 9, point, down, 0.01);
    assert_int_equal(pcm_world_update(s->f.world, s->time, 0), PCM_OK);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
    assert_true(touch_again(s->f.world, c, point, down, 0.03));
    step(s);
    assert_near(wrench_of(s->f.world, s->ball).force[2], 30, 1e-12);
}

static void gaps_begin_nothing(void **state)
{
    scene *s = *state;
    assert_int_equal(touch(s->f.world, s->ground, s->ball, 1, 0, 0, -1e-9).generation, 0);
    assert_int_not_equal(touch(s->f.world, s->ground, s->ball, 2, 0, 0, 0).generation, 0);
    assert_int_equal(touch(s->f.world, s->ground, s->ground, 3, 0, 0, 0.1).generation, 0);
    step(s);
    assert_int_equal(pcm_world_contact_count(s->f.world), 1);
}

static void separation_keeps_a_contact_across_a_gap(void **state)
{
    scene      *s = *state;
    pcm_contact c = touch(s->f.world, s->ground, s->brush, 1, 0, 0, 0.01);
    step(s);
    touch(s->f.world, s->ground, s->brush, 1, 0, 0, -0.0099);
    step(s);
    assert_int_equal(id_of(s, c), 1);
}

/* A stretch keeps the contact alive, at any distance, until it has relaxed. */
static void lingering_contacts_live_until_relaxed(void **state)
{
    scene *s = *state;
    place(s->f.world, s->brush, 0, 0, 0, 1, 0, 0);
    pcm_contact c = touch(s->f.world, s->ground, s->brush, 1, 0, 0, 0.01);
    step(s);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_info(s->f.world, c, &info), PCM_OK);
    assert_near(info.state[0], 1e-6 + 1e-3, 1e-18);
    size_t steps = 0;
    for (double stretch = info.state[0]; pcm_world_contact_count(s->f.world) > 0; steps++) {
        step(s);
        stretch *= 0.5;
        if (pcm_world_contact_info(s->f.world, c, &info) != PCM_OK)
            break;
        assert_near(info.state[0], stretch, 1e-18);
        assert_near(info.depth, PCM_FAR, 0);
        assert_near(wrench_of(s->f.world, s->brush).force[0], 0, 0);
    }
    assert_int_equal(steps, 13); /* 1.001e-3 / 2^14 < 1e-7 */
    assert_int_equal(pcm_world_contact_count(s->f.world), 0);
}

/* A foot with two spines: the broken one stays blocked until it is lifted, whatever the other does. */
static void a_broken_feature_waits_for_itself_alone(void **state)
{
    scene      *s = *state;
    pcm_contact c = touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.2); /* beyond Limit: the law breaks it */
    pcm_contact d = touch(s->f.world, s->ground, s->ball, 2, 0, 0, 0.05);
    step(s);
    assert_int_equal(id_of(s, c), 0);
    assert_int_equal(id_of(s, d), 2);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.01 * (double)i).generation, 0);
        assert_int_not_equal(touch(s->f.world, s->ground, s->ball, 2, 0, 0, 0.05).generation, 0);
        step(s);
    }
    for (int lifted = 0; lifted < 2; lifted++) { /* lifted to a gap, or no longer reported */
        if (lifted)
            touch(s->f.world, s->ground, s->ball, 1, 0, 0, -1e-9);
        touch(s->f.world, s->ground, s->ball, 2, 0, 0, 0.05);
        step(s);
        pcm_contact again = touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.2);
        assert_int_not_equal(again.generation, 0);
        touch(s->f.world, s->ground, s->ball, 2, 0, 0, 0.05);
        step(s);
        assert_int_equal(id_of(s, again), 0);
    }
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(s->f.world, 0, &stats), PCM_OK);
    assert_int_equal(stats.made, 4);
    assert_int_equal(stats.broken, 3);
    assert_int_equal(stats.parted, 0);
}

/* Gaps reported in a trial that is not committed do not free a broken feature. */
static void trials_lift_no_broken_feature(void **state)
{
    scene *s = *state;
    touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.2);
    step(s);
    for (double depth = 0.01; depth > -0.02; depth -= 0.02) {
        touch(s->f.world, s->ground, s->ball, 1, 0, 0, depth);
        assert_int_equal(pcm_world_update(s->f.world, s->time, 0), PCM_OK);
    }
    assert_int_equal(touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.01).generation, 0);
    step(s);
    assert_int_equal(touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.01).generation, 0);
}

static pcm_rule_stats bond_stats(const scene *s)
{
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(s->f.world, 4, &stats), PCM_OK);
    return stats;
}

/* A loop that reports only overlaps: for a law that breaks under a pull, a contact that is not reported has parted. */
static void a_contact_that_is_not_reported_has_parted(void **state)
{
    scene *s = *state;
    for (uint64_t round = 1; round <= 3; round++) {
        pcm_contact c = touch(s->f.world, s->ground, s->bond, 1, 0, 0, 1e-3);
        step(s);
        assert_int_equal(id_of(s, c), round);
        assert_near(wrench_of(s->f.world, s->bond).force[2], 1, 1e-12);
        step(s);
        assert_int_equal(bond_stats(s).parted, round);
    }
    assert_int_equal(bond_stats(s).broken, 0);
    assert_int_equal(s->f.messages, 0);
}

/* If a contact breaks across a gap at which none can begin, its feature is free at once, though still within the law's
 * reach. */
static void a_contact_that_breaks_across_a_gap_comes_again(void **state)
{
    scene *s = *state;
    for (uint64_t round = 1; round <= 3; round++) {
        pcm_contact c = touch(s->f.world, s->ground, s->bond, 1, 0, 0, 1e-3);
        step(s);
        assert_int_equal(id_of(s, c), round);
        touch(s->f.world, s->ground, s->bond, 1, 0, 0, -2e-3);
        step(s);
        assert_int_equal(bond_stats(s).broken, round);
        assert_int_equal(touch(s->f.world, s->ground, s->bond, 1, 0, 0, -1e-9).generation, 0);
        step(s);
    }
    assert_int_equal(s->f.messages, 0);
}

/* One message for the pair, and none if the objects just touch or are apart. */
static void contacts_that_end_at_depth_are_reported(void **state)
{
    scene *s = *state;
    for (uint64_t feature = 0; feature < 2; feature++) {
        touch(s->f.world, s->ground, s->ball, feature, 0, 0, 0.2);
        assert_int_equal(pcm_world_update(s->f.world, 0.1 + 0.2 + 1e-3 * (double)feature, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
    }
    assert_int_equal(s->f.messages, 1);
    assert_int_equal(s->f.code[0], 413);
    assert_non_null(strstr(s->f.text[0], "'C' broke the contact of 'ground' and 'ball' at t = 0.3 s while they overlap "
                                         "by 0.2 m: "));
    fixture f;
    fixture_open(&f, "ContactType C = Spring { Limit=-1; }; DefaultPair -> C;", NULL);
    touch(f.world, pcm_world_add(f.world, "ground", NULL), pcm_world_add(f.world, "ball", NULL), 1, 0, 0, 0);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(f.world, 0, &stats), PCM_OK);
    assert_int_equal(stats.broken, 1);
    assert_int_equal(f.messages, 0);
    fixture_close(&f);
}

static void single_keeps_the_deepest(void **state)
{
    scene      *s = *state;
    pcm_contact a = touch(s->f.world, s->ground, s->one, 1, 0, 0, 0.01);
    pcm_contact b = touch(s->f.world, s->ground, s->one, 2, 1, 0, 0.03);
    pcm_contact c = touch(s->f.world, s->ground, s->one, 3, 2, 0, 0.02);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(&a, &c, sizeof a);
    step(s);
    assert_int_equal(pcm_world_contact_count(s->f.world), 1);
    assert_near(wrench_of(s->f.world, s->one).force[2], 30, 1e-12);
    touch(s->f.world, s->ground, s->one, 3, 2, 0, 0.02);
    touch(s->f.world, s->ground, s->one, 0, 0, 0, 0.01);
    step(s);
    assert_int_equal(id_of(s, a), 1);
    assert_near(wrench_of(s->f.world, s->one).force[2], 20, 1e-12);
    assert_near(wrench_of(s->f.world, s->one).torque[1], -40, 1e-12);
}

static void missing_inputs_are_named(void **state)
{
    scene *s = *state;
    for (size_t i = 0; i < 2; i++) {
        touch(s->f.world, s->ground, s->pushed, 1, 0, 0, 0.01);
        assert_int_equal(pcm_world_update(s->f.world, s->time, 1e-3), PCM_BAD_INPUT);
        assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
    }
    assert_int_equal(fixture_said(&s->f, 406), 1);
    assert_non_null(strstr(s->f.text[0], "'ground' and 'pushed'"));
    pcm_contact c = touch(s->f.world, s->ground, s->pushed, 1, 0, 0, 0.01);
    assert_int_equal(pcm_world_set_input(s->f.world, c, 0, 5), PCM_OK);
    assert_int_equal(pcm_world_set_input(s->f.world, c, 1, 5), PCM_BAD_ARGUMENT);
    step(s);
    assert_near(wrench_of(s->f.world, s->pushed).force[2], 5, 0);
    touch(s->f.world, s->ground, s->pushed, 1, 0, 0, 0.01);
    step(s); /* the input stays until it is given again; creep has begun */
    assert_near(wrench_of(s->f.world, s->pushed).force[2], 5 + 100 * 0.01 * 1e-3, 1e-12);
}

static void strangers_stay_with_the_host(void **state)
{
    scene *s = *state;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(touch(s->f.world, s->ground, s->stranger, 1, 0, 0, 0.01).generation, 0);
        assert_int_equal(touch(s->f.world, s->ground, s->stranger, 2, 0, 0, 0.01).generation, 0);
        assert_int_equal(pcm_world_update(s->f.world, s->time, 0), PCM_OK);
        assert_int_equal(s->f.messages, i > 0);
        assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
    }
    assert_int_equal(fixture_said(&s->f, 407), 1);
    assert_null(pcm_world_pair(s->f.world, s->ground, s->stranger, NULL));
}

static void stale_handles_are_recognised(void **state)
{
    scene       *s = *state;
    const double point[3] = {0}, normal[3] = {0, 0, 1};
    pcm_contact  c = touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.01);
    assert_int_equal(pcm_world_update(s->f.world, 0, 0), PCM_OK);
    /* A contact that is never committed is forgotten at the next evaluation. */
    assert_false(touch_again(s->f.world, c, point, normal, 0.01));
    pcm_contact d = touch(s->f.world, s->ground, s->ball, 1, 0, 0, 0.01);
    assert_false(touch_again(s->f.world, c, point, normal, 0.01));
    assert_false(touch_again(s->f.world, (pcm_contact){0, 0}, point, normal, 0.01));
    assert_false(touch_again(s->f.world, (pcm_contact){77, 1}, point, normal, 0.01));
    step(s);
    assert_int_equal(id_of(s, d), 1);
}

/* Thousands of contacts begin and end: the columns stay dense and every force is right. */
static void crowds_come_and_go(void **state)
{
    scene   *s = *state;
    uint64_t seed = 3;
    for (size_t round = 0; round < 60; round++) {
        double expected = 0;
        size_t count = 0;
        for (uint64_t feature = 0; feature < 1000; feature++) {
            if (noise(&seed) < 0.3)
                continue;
            double depth = 0.001 * (double)(1 + feature % 50);
            touch(s->f.world, s->ground, s->ball, feature, 0, 0, depth);
            expected += 1000 * depth;
            count++;
        }
        step(s);
        assert_int_equal(pcm_world_contact_count(s->f.world), count);
        assert_near(wrench_of(s->f.world, s->ball).force[2], expected, 1e-9 * expected);
    }
}

/* ---- Features chosen to collide ---------------------------------------------------------------------------------- */

static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

static double seconds_for(uint64_t (*feature)(uint64_t i))
{
    enum { TOUCHES = 20000 };
    fixture f;
    fixture_open(&f, "ContactType C = Spring; DefaultPair -> C;", NULL);
    const pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    const clock_t    start = clock();
    for (uint64_t i = 0; i < TOUCHES; i++)
        assert_true(touch(f.world, a, b, feature(i), 0, 0, 0.01).generation != 0);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    fixture_close(&f);
    return seconds;
}

static uint64_t plain_feature(uint64_t i) { return i; }

/* Without the secret number all of these would have the same hash for the objects 0 and 1. */
static uint64_t chosen_feature(uint64_t i)
{
    const uint64_t mixed = (UINT64_C(77) << 32 | i) * inverse(0xD6E8FEB86659FD93u);
    return ((mixed ^ mixed >> 32) * inverse(0xD6E8FEB86659FD93u) ^ 1) * inverse(0x9E3779B97F4A7C15u);
}

static void chosen_features_cost_no_more(void **state)
{
    (void)state;
    assert_true(seconds_for(chosen_feature) < 20 * seconds_for(plain_feature) + 0.02);
}

/* Pairs of OBJECTS objects, in the order of their numbers, or chosen so that without the secret number they would all
 * fall into a small part of a table of TABLE entries. */
static double seconds_for_pairs(bool chosen)
{
    enum { OBJECTS = 2000, PAIRS = 20000, TABLE = 1 << 16, PART = 700 };
    fixture    f;
    pcm_object object[OBJECTS];
    size_t     touched = 0;
    fixture_open(&f, "ContactType C = Spring; DefaultPair -> C;", NULL);
    for (size_t i = 0; i < OBJECTS; i++)
        object[i] = pcm_world_add(f.world, "o", NULL);
    const clock_t start = clock();
    for (uint64_t low = 0; low < OBJECTS; low++)
        for (uint64_t high = low + 1; high < OBJECTS && touched < PAIRS; high++) {
            const uint64_t mixed = (low << 32 | high) * 0xD6E8FEB86659FD93u;
            const uint64_t home = ((mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93u) >> 32 & (TABLE - 1);
            if (chosen && home >= PART)
                continue;
            touched += touch(f.world, object[low], object[high], 0, 0, 0, 0.01).generation != 0;
        }
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(touched, PAIRS);
    fixture_close(&f);
    return seconds;
}

static void chosen_pairs_cost_no_more(void **state)
{
    (void)state;
    assert_true(seconds_for_pairs(true) < 20 * seconds_for_pairs(false) + 0.02);
}

/* ---- NaN and infinity -------------------------------------------------------------------------------------------- */

static void zero_has_one_sign(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Spring; DefaultPair -> C;", NULL);
    const pcm_object wall = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "wall", .fixed = true));
    place(f.world, wall, -0.0, 0, 0, 0, 0, 0);
    place(f.world, wall, 0.0, 0, -0.0, 0, 0, 0);
    const pcm_pose  elsewhere = {{1, 0, 0}, {1, 0, 0, 0}};
    const pcm_twist rest = {{0}, {0}};
    assert_int_equal(pcm_world_move(f.world, wall, &elsewhere, &rest), PCM_BAD_ARGUMENT);
    fixture_close(&f);
}

/* A contact that contributes nothing has no force in its info. */
static void lost_motion_gives_no_force(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Brush; DefaultPair -> C;", NULL);
    const pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    place(f.world, b, NAN, 0, 0, 0, 0, 0);
    touch(f.world, a, b, 1, 0, 0, 0.01);
    assert_int_equal(pcm_world_update(f.world, 0, 0.001), PCM_BAD_MOTION);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(f.world, 0, &info), PCM_OK);
    for (size_t k = 0; k < 3; k++)
        assert_true(info.force[k] == 0 && info.moment[k] == 0 && info.world_force[k] == 0);
    fixture_close(&f);
}

int main(void)
{
#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        SCENE_TEST(contacts_keep_their_identity),
        SCENE_TEST(order_of_objects_is_free),
        SCENE_TEST(gaps_begin_nothing),
        SCENE_TEST(separation_keeps_a_contact_across_a_gap),
        SCENE_TEST(lingering_contacts_live_until_relaxed),
        SCENE_TEST(a_broken_feature_waits_for_itself_alone),
        SCENE_TEST(trials_lift_no_broken_feature),
        SCENE_TEST(a_contact_that_is_not_reported_has_parted),
        SCENE_TEST(a_contact_that_breaks_across_a_gap_comes_again),
        SCENE_TEST(contacts_that_end_at_depth_are_reported),
        SCENE_TEST(single_keeps_the_deepest),
        SCENE_TEST(missing_inputs_are_named),
        SCENE_TEST(strangers_stay_with_the_host),
        SCENE_TEST(stale_handles_are_recognised),
        SCENE_TEST(crowds_come_and_go),
        cmocka_unit_test(chosen_features_cost_no_more),
        cmocka_unit_test(chosen_pairs_cost_no_more),
        cmocka_unit_test(zero_has_one_sign),
        cmocka_unit_test(lost_motion_gives_no_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
