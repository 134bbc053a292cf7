/* SPDX-License-Identifier: MIT */
/* Amounts of objects that contacts change besides their motion: heat that flows, volume that is worn off. */
#include "fixture.h"
#include <pcm/amount.h>
#include <pcm/messages.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEMPERATURE, WORN };

typedef struct scene {
    fixture    f;
    pcm_object a, b;
    double     time;
} scene;

static void open_with(scene *s, const char *config, const pcm_world_def *def)
{
    *s = (scene){0};
    fixture_open(&s->f, config, def);
    s->a = pcm_world_add(s->f.world, "a", NULL);
    s->b = pcm_world_add(s->f.world, "b", NULL);
}

static int open_scene(void **state)
{
    static scene s;
    open_with(&s, "ContactType W = Warm { Friction = 0.4; Wear = 1e-12; }; ObjectPair a * b -> W;", NULL);
    *state = &s;
    return 0;
}

static int close_scene(void **state)
{
    fixture_close(&((scene *)*state)->f);
    return 0;
}

static void step(scene *s, double dt)
{
    touch(s->f.world, s->a, s->b, 0, 0, 0, 1e-3);
    assert_int_equal(pcm_world_update(s->f.world, s->time += dt, dt), PCM_OK);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
}

static pcm_amount_info amount_of(scene *s, pcm_object object, size_t amount)
{
    pcm_amount_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_amount(s->f.world, object, amount, &info), PCM_OK);
    return info;
}

static double temperature(scene *s, pcm_object object) { return amount_of(s, object, TEMPERATURE).value; }

static void set(scene *s, pcm_object object, double value, double capacity)
{
    assert_int_equal(pcm_world_set_amount(s->f.world, object, TEMPERATURE, value), PCM_OK);
    assert_int_equal(pcm_world_set_capacity(s->f.world, object, TEMPERATURE, capacity), PCM_OK);
}

/* Each step multiplies the difference by 1 - dt h (1/Ca + 1/Cb), an exponential decay for dt -> 0, and keeps the total
 * heat. */
static void two_bodies_reach_the_mean_temperature(void **state)
{
    scene       *s = *state;
    const double ca = 2, cb = 3, rate = 0.5 * (1 / ca + 1 / cb), dt = 1e-3, mean = (ca * 300 + cb * 400) / (ca + cb);
    set(s, s->a, 300, ca);
    set(s, s->b, 400, cb);
    double difference = 100;
    for (int i = 0; i < 2000; i++) {
        step(s, dt);
        difference *= 1 - dt * rate;
        if (i % 100)
            continue;
        const double a = temperature(s, s->a), b = temperature(s, s->b);
        const double rounding = 4 * (i + 1) * DBL_EPSILON * 400;
        assert_near(b - a, difference, rounding);
        assert_near(ca * a + cb * b, (ca + cb) * mean, (ca + cb) * rounding);
        assert_near(b - a, 100 * exp(-rate * s->time), 100 * 0.5 * rate * rate * dt * s->time + rounding);
    }
    for (int i = 0; i < 2000; i++)
        step(s, 0.1);
    assert_near(temperature(s, s->a), mean, 1e-9);
    assert_near(temperature(s, s->b), mean, 1e-9);
}

/* A capacity is infinite unless it is set, as a mass is: the host reads the flow and integrates it in its own way. */
static void without_a_capacity_only_the_host_changes_a_value(void **state)
{
    scene *s = *state;
    assert_near(temperature(s, s->a), 293.15, 0);
    assert_near(amount_of(s, s->a, TEMPERATURE).capacity, 0, 0);
    assert_int_equal(pcm_world_set_amount(s->f.world, s->b, TEMPERATURE, 303.15), PCM_OK);
    step(s, 1);
    assert_near(temperature(s, s->a), 293.15, 0);
    assert_near(amount_of(s, s->a, TEMPERATURE).flow, 5, 0);
    assert_near(amount_of(s, s->b, TEMPERATURE).flow, -5, 0);
    assert_near(amount_of(s, s->a, WORN).flow, 0, 0);
}

/* Friction, of power mu F v, heats both objects equally, and only the follower wears: k F v. */
static void each_side_gains_what_the_law_says(void **state)
{
    scene *s = *state;
    place(s->f.world, s->b, 0, 0, 0, 0.3, 0.4, 0);
    step(s, 2);
    assert_near(amount_of(s, s->a, TEMPERATURE).flow, 0.5 * 0.4 * 1 * 0.5, 1e-15);
    assert_near(amount_of(s, s->b, TEMPERATURE).flow, 0.5 * 0.4 * 1 * 0.5, 1e-15);
    assert_near(amount_of(s, s->a, WORN).value, 0, 0);
    assert_near(amount_of(s, s->b, WORN).value, 2 * 1e-12 * 1 * 0.5, 1e-26);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(s->f.world, 0, &info), PCM_OK);
    assert_near(info.flow[0], 0.1, 1e-16);
    assert_near(info.flow[3], 0.5e-12, 1e-26);
    assert_string_equal(pcm_config_amount_at(s->f.config, TEMPERATURE)->name, "temperature");
    assert_int_equal(pcm_config_amount_count(s->f.config), 2);
    assert_null(pcm_config_amount_at(s->f.config, 2));
}

/* If contacts share a patch, flows are shared like the force: two halves pass as much as one whole. */
static void flows_of_a_patch_are_shared(void **state)
{
    (void)state;
    static const double parts[] = {0.3, 0.7};
    scene               s;
    open_with(&s, "ContactType W = Warm { Patch = Shared; }; ObjectPair a * b -> W;", NULL);
    set(&s, s.a, 300, 0);
    set(&s, s.b, 310, 0);
    for (uint64_t i = 0; i < 2; i++) {
        const pcm_touch given = {
            .feature = i, .normal = {0, 0, 1}, .depth = 1e-3, .share = parts[i], .gives = PCM_SHARE};
        pcm_world_touch(s.f.world, s.a, s.b, &given, sizeof given);
    }
    assert_int_equal(pcm_world_update(s.f.world, 0, 0.1), PCM_OK);
    assert_near(amount_of(&s, s.a, TEMPERATURE).flow, 5, 1e-15);
    assert_near(amount_of(&s, s.b, TEMPERATURE).flow, -5, 1e-15);
    fixture_close(&s.f);
}

/* Heat moves only at a commit, and once; reading values again gives those of the update. */
static void trials_move_nothing(void **state)
{
    scene *s = *state;
    set(s, s->a, 300, 1);
    set(s, s->b, 310, 1);
    for (int i = 0; i < 3; i++) {
        touch(s->f.world, s->a, s->b, 0, 0, 0, 1e-3);
        assert_int_equal(pcm_world_update(s->f.world, 0, 0.1), PCM_OK);
        assert_near(temperature(s, s->a), 300, 0);
        assert_near(amount_of(s, s->a, TEMPERATURE).flow, 5, 0);
    }
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
    assert_near(temperature(s, s->a), 300.5, 1e-13);
    pcm_contact_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_contact_at(s->f.world, 0, &info), PCM_OK);
    assert_near(info.flow[0], 5, 0);
    assert_int_equal(pcm_world_update(s->f.world, 0.1, 0.1), PCM_OK); /* no touch was reported */
    assert_near(amount_of(s, s->a, TEMPERATURE).flow, 0, 0);
}

static void bad_numbers_are_rejected(void **state)
{
    scene          *s = *state;
    pcm_amount_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_set_amount(s->f.world, s->a, 2, 0), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_set_amount(s->f.world, s->a, 0, NAN), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_set_capacity(s->f.world, s->a, 0, -1), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_set_capacity(s->f.world, s->a, 0, INFINITY), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_amount(s->f.world, (pcm_object){9, 1}, 0, &info), PCM_BAD_HANDLE);
    assert_int_equal(pcm_world_amount(s->f.world, s->a, 2, &info), PCM_BAD_ARGUMENT);
}

/* A flow of NaN is a fault: the contact contributes nothing at all. */
static void a_flow_that_is_not_finite_is_a_fault(void **state)
{
    scene *s = *state;
    assert_int_equal(pcm_world_set_amount(s->f.world, s->a, TEMPERATURE, 1e308), PCM_OK);
    assert_int_equal(pcm_world_set_amount(s->f.world, s->b, TEMPERATURE, -1e308), PCM_OK);
    touch(s->f.world, s->a, s->b, 0, 0, 0, 1e-3);
    assert_int_equal(pcm_world_update(s->f.world, 1, 1), PCM_BAD_MOTION);
    assert_near(amount_of(s, s->a, TEMPERATURE).flow, 0, 0);
    assert_near(wrench_of(s->f.world, s->b).force[2], 0, 0);
}

static void one_name_means_one_thing(void **state)
{
    scene     *s = *state;
    const char text[] = "ContactType W = Warm; ContactType C = Cold; ObjectPair a * b -> W; DefaultPair -> C;";
    assert_null(pcm_config_parse(s->f.context, "x.pcm", text, sizeof text - 1));
    assert_int_equal(fixture_said(&s->f, PCM_MSG_PARAMETERS_REJECTED), 1);
    assert_non_null(strstr(s->f.text[0], "'temperature'"));
}

static void a_checkpoint_holds_amounts(void **state)
{
    scene *s = *state;
    set(s, s->a, 300, 2);
    set(s, s->b, 400, 3);
    step(s, 0.1);
    const size_t size = pcm_world_checkpoint_size(s->f.world);
    void        *bytes = malloc(size);
    assert_int_equal(pcm_world_checkpoint_save(s->f.world, bytes, size), PCM_OK);
    scene other = {.f = s->f, .time = s->time};
    other.f.world = fixture_world(&s->f, NULL);
    other.b = pcm_world_add(other.f.world, "b", NULL);
    other.a = pcm_world_add(other.f.world, "a", NULL);
    assert_int_equal(pcm_world_checkpoint_restore(other.f.world, bytes, size), PCM_OK);
    assert_near(amount_of(&other, other.a, TEMPERATURE).flow, amount_of(s, s->a, TEMPERATURE).flow, 0);
    for (int i = 0; i < 5; i++) {
        step(s, 0.1);
        step(&other, 0.1);
        assert_near(temperature(&other, other.a), temperature(s, s->a), 0);
        assert_near(temperature(&other, other.b), temperature(s, s->b), 0);
    }
    pcm_world_free(other.f.world);
    free(bytes);
}

/* An object in the slot of a removed one has its own amounts. */
static void amounts_go_with_their_object(void **state)
{
    scene *s = *state;
    set(s, s->a, 500, 1);
    assert_int_equal(pcm_world_remove(s->f.world, s->a), PCM_OK);
    s->a = pcm_world_add(s->f.world, "a", NULL);
    assert_near(temperature(s, s->a), 293.15, 0);
    assert_near(amount_of(s, s->a, TEMPERATURE).capacity, 0, 0);
}

/* The law is now one of several parts. */
static void parts_share_amounts(void **state)
{
    (void)state;
    scene s;
    open_with(&s, "ContactType W = Elastic + Warm { Sticky = 0; Warm.Stiffness = 10; }; DefaultPair -> W;", NULL);
    set(&s, s.b, 303.15, 0);
    step(&s, 1);
    assert_near(amount_of(&s, s.a, TEMPERATURE).flow, 5, 0);
    assert_near(wrench_of(s.f.world, s.b).force[2], 1e4 * 1e-3 + 10 * 1e-3, 1e-12);
    fixture_close(&s.f);
}

static void logs_have_flows(void **state)
{
    (void)state;
    char          directory[] = "/tmp/pcm-amount-XXXXXX", path[64], header[1024], row[1024];
    pcm_world_def def = pcm_world_defaults();
    scene         s;
    def.log_directory = mkdtemp(directory);
    open_with(&s, "ContactType W = Warm { LogFile = \"w.csv\"; }; DefaultPair -> W;", &def);
    set(&s, s.b, 303.15, 0);
    step(&s, 1);
    fixture_close(&s.f);
    (void)snprintf(path, sizeof path, "%s/w.csv", directory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(header, sizeof header, file));
    assert_non_null(fgets(row, sizeof row, file));
    assert_non_null(strstr(header, ",temperature_flow_base [W],worn_flow_base [m^3/s],temperature_flow_follower [W],"));
    assert_non_null(strstr(row, ",5,0,-5,0,"));
    (void)fclose(file);
    assert_int_equal(unlink(path) + rmdir(directory), 0);
}

/* ---- Any number of tasks ----------------------------------------------------------------------------------------- */

enum { MANY = 25000, BODIES = 40 };

/* The sums for many contacts of few bodies are equal, bit for bit. */
static void sums_of(uint32_t threads, pcm_amount_info sums[BODIES])
{
    fixture       f;
    size_t        runs = 0;
    pcm_world_def def = pcm_world_defaults();
    pcm_object    body[BODIES];
    uint64_t      seed = 1;
    char          name[8];
    def.threads = threads;
    def.run = run_backwards;
    def.run_user = &runs;
    fixture_open(&f, "ContactType W = Warm { Friction = 0.4; }; DefaultPair -> W;", &def);
    for (int i = 0; i < BODIES; i++) {
        (void)snprintf(name, sizeof name, "b%d", i);
        body[i] = pcm_world_add(f.world, name, NULL);
        place(f.world, body[i], noise(&seed), noise(&seed), 0, noise(&seed), noise(&seed), 0);
        assert_int_equal(pcm_world_set_amount(f.world, body[i], 0, 300 + 100 * noise(&seed)), PCM_OK);
    }
    for (uint64_t i = 0; i < MANY; i++)
        touch(f.world, body[i % BODIES], body[(i + 1 + i / BODIES % (BODIES - 1)) % BODIES], i, 0, 0, 1e-3);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    assert_true(threads < 2 || runs > 0);
    for (int i = 0; i < BODIES; i++) {
        sums[i].size = sizeof sums[i];
        assert_int_equal(pcm_world_amount(f.world, body[i], 0, &sums[i]), PCM_OK);
    }
    fixture_close(&f);
}

static void tasks_do_not_change_the_sums(void **state)
{
    (void)state;
    pcm_amount_info one[BODIES] = {{0}}, four[BODIES] = {{0}};
    sums_of(1, one);
    sums_of(4, four);
    for (int i = 0; i < BODIES; i++)
        assert_memory_equal(&one[i].flow, &four[i].flow, sizeof one[i].flow);
    assert_true(one[0].flow != 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        TEST(two_bodies_reach_the_mean_temperature),
        TEST(without_a_capacity_only_the_host_changes_a_value),
        TEST(each_side_gains_what_the_law_says),
        TEST(trials_move_nothing),
        TEST(bad_numbers_are_rejected),
        TEST(a_flow_that_is_not_finite_is_a_fault),
        TEST(one_name_means_one_thing),
        TEST(a_checkpoint_holds_amounts),
        TEST(amounts_go_with_their_object),
        cmocka_unit_test(flows_of_a_patch_are_shared),
        cmocka_unit_test(parts_share_amounts),
        cmocka_unit_test(logs_have_flows),
        cmocka_unit_test(tasks_do_not_change_the_sums),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
