/* SPDX-License-Identifier: MIT */
/* The verb per pair, with which a law acts on all contacts of a pair together. */
#include "fixture.h"

#include <pcm/jacobian.h>
#include <stdio.h>

static const char *const rules =
    "ContactType Foot = Spine + Strength { Stiffness = 2e4; Length = 0.01; Strength = 20; Patch = Shared; };\n"
    "ContactType Spines = Spine + Strength { Stiffness = 2e4; Length = 0.01; Strength = 20; };\n"
    "ContactType Plate = Plate { Cohesive = 2e4; Frictional = 1e6; };\n"
    "ContactType Bad = Plate { Bad = 0.01; };\n"
    "ContactType Alone = Spine { Stiffness = 2e4; Length = 0.01; };\n"
    "ObjectPair ground * foot -> Foot;\nObjectPair ground * spines -> Spines;\nObjectPair ground * plate -> Plate;\n"
    "ObjectPair ground * bad -> Bad;\nObjectPair ground * alone -> Alone;\n"
    "ObjectPair \"p*\" * \"q*\" -> Plate;\n";

static pcm_object ground_of(pcm_world *world)
{
    return pcm_world_add_object(world, &PCM_OBJECT(.name = "ground", .fixed = true));
}

/* A square foot with sides of 0.2 m, represented by n points with equal areas. */
static pcm_contact stand(pcm_world *world, pcm_object ground, pcm_object foot, size_t n, double depth)
{
    pcm_contact last = {0, 0};
    for (size_t i = 0; i < n; i++) {
        const pcm_touch touch = {.feature = i,
                                 .point = {0.01 * (double)i, 0, 0},
                                 .normal = {0, 0, 1},
                                 .depth = depth,
                                 .area = 0.04 / (double)n,
                                 .share = 1 / (double)n,
                                 .gives = PCM_AREA | PCM_SHARE};
        last = pcm_world_touch(world, ground, foot, &touch, sizeof touch);
    }
    return last;
}

static void step(pcm_world *world, double time)
{
    assert_int_equal(pcm_world_update(world, time, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_commit(world), PCM_OK);
}

/* The greatest pull on a foot that is slowly lifted, and the step at which it lets go. */
static double strongest_pull(const char *name, size_t points, int *broke)
{
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = ground_of(f.world), foot = pcm_world_add(f.world, name, NULL);
    double           strongest = 0;
    stand(f.world, ground, foot, points, 0);
    step(f.world, 0);
    for (*broke = 1; *broke < 1000; ++*broke) {
        stand(f.world, ground, foot, points, -1e-5 * *broke);
        assert_int_equal(pcm_world_update(f.world, *broke, 1e-3), PCM_OK);
        const double pull = -wrench_of(f.world, foot).force[2];
        strongest = pcm_max(strongest, pull);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        if (pcm_world_contact_count(f.world) > 0 && pull > 0)
            continue;
        pcm_rule_stats stats = {.size = sizeof stats};
        assert_int_equal(pcm_world_rule_stats(f.world, strcmp(name, "foot") == 0 ? 0 : 1, &stats), PCM_OK);
        assert_int_equal(stats.broken, points);
        break;
    }
    fixture_close(&f);
    return strongest;
}

/* The whole foot lets go at once when the pull reaches its strength, with 1, 4 or 16 spines that share one stiffness or
 * have a stiffness each. */
static void a_foot_has_one_strength(void **state)
{
    (void)state;
    const size_t points[] = {1, 4, 16};
    for (size_t k = 0; k < 3; k++) {
        int broke;
        assert_near(strongest_pull("foot", points[k], &broke), 20, 2e4 * 1e-5);
        assert_true(broke == 100 ||
                    broke == 101); /* 2e4 N/m times 1e-5 m a step reaches 20 N at step 100, or 101 if rounded */
        const double each = 2e4 * 1e-5 * (double)points[k];
        assert_near(strongest_pull("spines", points[k], &broke), 20, each);
        assert_near(broke, 20 / each, 1.5);
    }
}

/* (kc / b + kphi) z A for any number of points. */
static void a_plate_knows_its_width(void **state)
{
    (void)state;
    const size_t points[] = {1, 4, 9, 400};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        fixture f;
        fixture_open(&f, rules, NULL);
        const pcm_object  ground = ground_of(f.world), plate = pcm_world_add(f.world, "plate", NULL);
        const pcm_contact contact = stand(f.world, ground, plate, points[k], 0.02);
        const double      force = (2e4 / 0.2 + 1e6) * 0.02 * 0.04;
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        assert_near(wrench_of(f.world, plate).force[2], force, 1e-10);
        assert_near(wrench_of(f.world, plate).force[0], -0.1 * force, 1e-11);
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_info(f.world, contact, &info), PCM_OK);
        assert_near(info.scale, 1.1, 1e-14);
        assert_near(info.energy, 0.5 * 0.02 * force / (double)points[k], 1e-12);
        pcm_matrices        *all = pcm_matrices_new(f.world);
        pcm_contact_matrices matrices = {.size = sizeof matrices};
        assert_int_equal(pcm_matrices_contact(all, contact, &matrices), PCM_OK);
        assert_near(matrices.stiffness[35], force / 0.02 / (double)points[k], 1e-5);
        pcm_matrices_free(all);
        fixture_close(&f);
    }
}

/* A trial in which the foot breaks has no lasting effect, and a commit ends all of its contacts. */
static void trials_leave_no_trace(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = ground_of(f.world), foot = pcm_world_add(f.world, "foot", NULL);
    uint8_t          before[8192], after[8192];
    stand(f.world, ground, foot, 4, 0);
    step(f.world, 0);
    const size_t size = pcm_world_checkpoint_size(f.world);
    assert_true(size <= sizeof before);
    assert_int_equal(pcm_world_checkpoint_save(f.world, before, size), PCM_OK);
    const pcm_contact tried = stand(f.world, ground, foot, 4, -2e-3);
    pcm_contact_info  info = {.size = sizeof info};
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_contact_info(f.world, tried, &info), PCM_OK);
    assert_int_equal(info.life, PCM_BROKEN);
    assert_near(wrench_of(f.world, foot).force[2], 0, 0);
    stand(f.world, ground, foot, 4, -5e-4);
    assert_int_equal(pcm_world_checkpoint_save(f.world, after, size), PCM_OK);
    assert_memory_equal(before, after, size);
    assert_int_equal(pcm_world_update(f.world, 1, 1e-3), PCM_OK);
    assert_near(wrench_of(f.world, foot).force[2], -10, 1e-12);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    assert_int_equal(pcm_world_contact_count(f.world), 4);
    stand(f.world, ground, foot, 4, -2e-3);
    step(f.world, 2);
    assert_int_equal(pcm_world_contact_count(f.world), 0);
    fixture_close(&f);
}

/* New contacts are part of the sums from their first evaluation. */
static void new_contacts_count(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = ground_of(f.world), plate = pcm_world_add(f.world, "plate", NULL);
    for (size_t points = 1; points <= 300; points += 13) {
        stand(f.world, ground, plate, points, 0.02);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        assert_near(wrench_of(f.world, plate).force[2], 880, 1e-9);
        if (points % 2)
            assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    fixture_close(&f);
}

enum { PLATES = 200, POINTS = 150 };

static void run_plates(pcm_world *world, pcm_wrench wrench[PLATES])
{
    static pcm_object object[PLATES];
    uint64_t          seed = 3;
    for (size_t i = 0; i < PLATES; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%c%zu", i % 2 ? 'p' : 'q', i);
        object[i] = pcm_world_add(world, name, NULL);
    }
    for (int k = 0; k < 3; k++) {
        for (uint64_t p = 0; p < POINTS; p++)
            for (size_t i = 1; i < PLATES; i++) {
                const pcm_touch touch = {.feature = p,
                                         .point = {noise(&seed), noise(&seed), 0},
                                         .normal = {0, 0, 1},
                                         .depth = fabs(noise(&seed)),
                                         .area = fabs(noise(&seed)),
                                         .gives = PCM_AREA};
                pcm_world_touch(world, object[i], object[i - 1], &touch, sizeof touch);
            }
        step(world, k);
    }
    for (size_t i = 0; i < PLATES; i++)
        wrench[i] = wrench_of(world, object[i]);
}

static void bits_do_not_depend_on_tasks(void **state)
{
    (void)state;
    static pcm_wrench alone[PLATES], together[PLATES];
    fixture           f;
    fixture_open(&f, rules, NULL);
    run_plates(f.world, alone);
    assert_true(pcm_world_contact_count(f.world) > 20000);
    size_t runs = 0;
    for (uint32_t k = 0; k < 4; k++) {
        pcm_world_def def = pcm_world_defaults();
        def.threads = k < 2 ? 3 : 1;
        def.run = run_backwards;
        def.run_user = &runs;
        def.isa = k % 2 ? PCM_ISA_PLAIN : PCM_ISA_AVX512;
        pcm_world *world = fixture_world(&f, &def);
        run_plates(world, together);
        assert_memory_equal(alone, together, sizeof alone);
        pcm_world_free(world);
    }
    assert_true(runs > 0);
    fixture_close(&f);
}

static void bad_answers_are_named(void **state)
{
    (void)state;
    const struct {
        double      depth;
        const char *said;
    } bad[] = {{0.015, "no scale for the pair"}, {0.025, "life = PCM_INVALID for the pair"}};
    for (size_t k = 0; k < 2; k++) {
        fixture f;
        fixture_open(&f, rules, NULL);
        const pcm_object ground = ground_of(f.world), foot = pcm_world_add(f.world, "bad", NULL);
        stand(f.world, ground, foot, 4, 0.005);
        step(f.world, 0);
        stand(f.world, ground, foot, 4, bad[k].depth);
        assert_int_equal(pcm_world_update(f.world, 1, 1e-3), PCM_BAD_MOTION);
        assert_near(wrench_of(f.world, foot).force[2], 0, 0);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        assert_int_equal(fixture_said(&f, 405), 1);
        assert_non_null(strstr(f.text[0], bad[k].said));
        for (int t = 2; t < 5; t++) { /* the whole foot is broken until it has left the ground */
            if (t != 3)
                stand(f.world, ground, foot, 4, 0.005);
            step(f.world, t);
            assert_int_equal(pcm_world_contact_count(f.world), t == 4 ? 4 : 0);
        }
        fixture_close(&f);
    }
}

/* A host with its own contacts calls the verb itself; for a law without the verb this changes nothing. */
static void hosts_call_it_with_their_sums(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    enum { PAIRS = 300 };
    double  zeros[PAIRS] = {0}, pulls[PAIRS], scale[PAIRS];
    int64_t life[PAIRS];
    for (size_t i = 0; i < PAIRS; i++)
        pulls[i] = -0.1 * (double)i;
    const pcm_pair_batch batch = {.size = sizeof batch,
                                  .count = PAIRS,
                                  .contacts = zeros,
                                  .force_n = pulls,
                                  .force_t = zeros,
                                  .pull = zeros,
                                  .area = zeros,
                                  .depth = zeros,
                                  .energy = zeros,
                                  .scale = scale,
                                  .life = life};
    assert_int_equal(pcm_type_call_pairs(pcm_config_type_find(f.config, "Foot"), &batch), PCM_OK);
    for (size_t i = 0; i < PAIRS; i++) {
        assert_int_equal(life[i], pulls[i] < -20 ? PCM_BROKEN : PCM_LIVE);
        assert_near(scale[i], pulls[i] < -20 ? 0 : 1, 0);
    }
    assert_int_equal(pcm_type_call_pairs(pcm_config_type_find(f.config, "Alone"), &batch), PCM_OK);
    assert_int_equal(life[PAIRS - 1], PCM_LIVE);
    assert_near(scale[PAIRS - 1], 1, 0);
    assert_int_equal(pcm_type_call_pairs(pcm_config_type_find(f.config, "Foot"), &(pcm_pair_batch){.count = 1}),
                     PCM_BAD_ARGUMENT);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foot_has_one_strength),       cmocka_unit_test(a_plate_knows_its_width),
        cmocka_unit_test(trials_leave_no_trace),         cmocka_unit_test(new_contacts_count),
        cmocka_unit_test(bits_do_not_depend_on_tasks),   cmocka_unit_test(bad_answers_are_named),
        cmocka_unit_test(hosts_call_it_with_their_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
