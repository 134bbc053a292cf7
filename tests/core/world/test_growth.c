/* SPDX-License-Identifier: MIT */
/* Structs from callers whose headers are older or newer than the library's. */
#include "fixture.h"
#include <pcm/messages.h>

static const char config[] = "ContactType C = Spring; DefaultPair -> C;";

/* A definition as in a later version of the header. */
typedef struct later_object_def {
    pcm_object_def known;
    double         unknown;
} later_object_def;

static void an_older_definition_gets_defaults(void **state)
{
    (void)state;
    fixture        f;
    pcm_object_def def = PCM_OBJECT(.name = "ball", .mass = -1);
    fixture_open(&f, config, NULL);
    assert_int_equal(pcm_world_add_object(f.world, &def).generation, 0);
    def.size = offsetof(pcm_object_def, mass); /* a struct that ends before the mass */
    assert_int_not_equal(pcm_world_add_object(f.world, &def).generation, 0);
    fixture_close(&f);
}

static void a_newer_definition_may_say_nothing_unknown(void **state)
{
    (void)state;
    fixture          f;
    later_object_def def = {.known = PCM_OBJECT(.name = "ball")};
    def.known.size = sizeof def;
    fixture_open(&f, config, NULL);
    assert_int_not_equal(pcm_world_add_object(f.world, &def.known).generation, 0);
    assert_int_equal(f.messages, 0);
    def.unknown = 1;
    assert_int_equal(pcm_world_add_object(f.world, &def.known).generation, 0);
    assert_int_equal(fixture_said(&f, PCM_MSG_BAD_DEF), 1);
    assert_non_null(strstr(f.text[0], "the pcm_object_def has fields that this PCM does not know"));
    fixture_close(&f);
}

static void a_definition_without_its_size_is_rejected(void **state)
{
    (void)state;
    fixture       f;
    pcm_world_def def = pcm_world_defaults();
    fixture_open(&f, config, NULL);
    assert_int_equal(pcm_world_add_object(f.world, &(pcm_object_def){.name = "ball"}).generation, 0);
    assert_non_null(strstr(f.text[0], "the pcm_object_def has no size"));
    def.size = SIZE_MAX;
    assert_null(pcm_world_new(f.config, &def));
    assert_int_equal(fixture_said(&f, PCM_MSG_BAD_DEF), 2);
    fixture_close(&f);
}

static void arrays_are_filled_up_to_their_capacity(void **state)
{
    (void)state;
    fixture f;
    struct {
        pcm_rule_stats stats;
        uint64_t       beyond;
    } filled;
    memset(&filled, 0xa5, sizeof filled);
    fixture_open(&f, config, NULL);

    filled.stats.size = offsetof(pcm_rule_stats, max_slip);
    assert_int_equal(pcm_world_rule_stats(f.world, 0, &filled.stats), PCM_OK);
    assert_true(filled.stats.max_depth == 0 && filled.stats.max_slip != 0);

    filled.stats.size = sizeof filled;
    assert_int_equal(pcm_world_rule_stats(f.world, 0, &filled.stats), PCM_OK);
    assert_true(filled.stats.max_force == 0 && filled.beyond == 0xa5a5a5a5a5a5a5a5);

    filled.stats.size = 0;
    assert_int_equal(pcm_world_rule_stats(f.world, 0, &filled.stats), PCM_BAD_ARGUMENT);
    assert_int_equal(fixture_said(&f, PCM_MSG_BAD_DEF), 1);
    assert_non_null(strstr(f.text[0], "the pcm_rule_stats to be filled has no size"));
    fixture_close(&f);
}

static void inline_functions_give_what_the_caller_knows(void **state)
{
    (void)state;
    fixture       f;
    pcm_rule_info info;
    memset(&info, 0, sizeof info);
    fixture_open(&f, config, NULL);
    pcm_config_rule_into(f.config, 0, &info, offsetof(pcm_rule_info, type));
    assert_true(info.kind == PCM_DEFAULT_PAIR && info.type == NULL);
    assert_int_equal(info.size, offsetof(pcm_rule_info, type));
    assert_ptr_equal(pcm_config_rule_at(f.config, 0).type, pcm_config_type_at(f.config, 0));
    assert_int_equal(pcm_config_rule_at(f.config, 1).size, sizeof info);
    fixture_close(&f);
}

static void a_touch_may_be_larger(void **state)
{
    (void)state;
    fixture f;
    struct {
        pcm_touch known;
        double    unknown;
    } touch = {.known = {.normal = {0, 0, 1}, .depth = 0.25}};
    fixture_open(&f, "ContactType C = Spring { Stiffness = 1; Damping = 0; }; DefaultPair -> C;", NULL);
    const pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    assert_true(pcm_world_touch(f.world, a, b, &touch.known, sizeof touch).generation != 0);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    assert_near(wrench_of(f.world, b).force[2], 0.25, 1e-15);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);

    touch.unknown = 1;
    assert_int_equal(pcm_world_touch(f.world, a, b, &touch.known, sizeof touch).generation, 0);
    assert_int_equal(pcm_world_touch(f.world, a, b, &touch.known, 8).generation, 0);
    assert_int_equal(fixture_said(&f, 415), 2);
    fixture_close(&f);
}

static void a_batch_without_its_size_does_not_reach_the_law(void **state)
{
    (void)state;
    fixture      f;
    const double depth[1] = {0.5}, still[1] = {0};
    double       force[1] = {7};
    pcm_batch    batch = {.count = 1, .depth = depth, .depth_rate = still, .force_n = force};
    fixture_open(&f, config, NULL);
    assert_int_equal(pcm_type_call(pcm_config_type_at(f.config, 0), PCM_UPDATE, &batch), PCM_BAD_ARGUMENT);
    assert_true(force[0] == 7);
    batch.size = offsetof(pcm_batch, energy);
    assert_int_equal(pcm_type_call(pcm_config_type_at(f.config, 0), PCM_UPDATE, &batch), PCM_OK);
    assert_true(force[0] > 7);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_definition_gets_defaults),
        cmocka_unit_test(a_newer_definition_may_say_nothing_unknown),
        cmocka_unit_test(a_definition_without_its_size_is_rejected),
        cmocka_unit_test(arrays_are_filled_up_to_their_capacity),
        cmocka_unit_test(inline_functions_give_what_the_caller_knows),
        cmocka_unit_test(a_touch_may_be_larger),
        cmocka_unit_test(a_batch_without_its_size_does_not_reach_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
