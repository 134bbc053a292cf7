/* SPDX-License-Identifier: MIT */
/* Every configuration in the tree loads with the shipped plugins, without a message. */
#include <pcm/pcm.h>
#include "folder.h"

#include <stdlib.h>

static void no_message(void *user, const pcm_diagnostic *diagnostic)
{
    char text[2000];
    (void)user;
    pcm_diagnostic_format(diagnostic, text, sizeof text);
    fail_msg("%s", text);
}

static pcm_context *context;

static int setup(void **state)
{
    (void)state;
    pcm_context_def def = pcm_context_defaults();
    def.sink = no_message;
    def.plugin_path = PLUGINS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    context = pcm_context_new(&def);
    return context == NULL;
}

static int teardown(void **state)
{
    (void)state;
    pcm_context_free(context);
    return 0;
}

static void load(void *user, const char *path)
{
    (void)user;
    pcm_config *config = pcm_config_load(context, path);
    assert_non_null(config);
    assert_true(pcm_config_rule_count(config) > 0);
    pcm_config_release(config);
}

static void every_config_loads(void **state)
{
    (void)state;
    assert_true(each_config(CONFIGS, load, NULL) >= 7);
    assert_true(each_config(CONFIGS "/climber", load, NULL) >= 1);
    assert_true(each_config(CONFIGS "/pairs", load, NULL) >= 7);
}

static double number_of(const pcm_type *type, const char *name)
{
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        pcm_value value = pcm_type_value_at(type, i);
        if (strcmp(value.param->name, name) == 0 && value.written)
            return value.number;
    }
    fail_msg("%s is not written", name);
    return (double)NAN;
}

static void has_rule(const pcm_config *config, const char *a, const char *surface_a, const char *b,
                     const char *surface_b, const char *type)
{
    size_t rule;
    assert_int_equal(pcm_config_resolve(config, a, surface_a, b, surface_b, &rule, NULL, 1) > 0, type != NULL);
    if (type != NULL)
        assert_string_equal(pcm_type_get_info(pcm_config_rule_at(config, rule).type)->name, type);
}

static void the_file_of_2004_says_what_it_says(void **state)
{
    (void)state;
    pcm_config *config = pcm_config_load(context, CONFIGS "/rise.pcm");
    assert_non_null(config);
    assert_int_equal(pcm_config_type_count(config), 2);
    assert_int_equal(pcm_config_rule_count(config), 4);
    const pcm_type *c0 = pcm_config_type_find(config, "C0"), *c1 = pcm_config_type_find(config, "C1");
    assert_string_equal(pcm_type_get_info(c0)->model->name, "DefaultContact");
    assert_true(number_of(c0, "Error") == 1e-3);
    assert_string_equal(pcm_type_get_info(c1)->model->name, "SpringContact");
    assert_true(number_of(c1, "X_Limit") == 1000 && number_of(c1, "Y_Limit") == 1000 && number_of(c1, "Z_Limit") == 5);
    assert_true(number_of(c1, "K") == 1000 && number_of(c1, "B") == 10 && number_of(c1, "Resolution") == 0.001);
    assert_string_equal(pcm_type_get_info(c1)->common->log_file, "mylog");
    has_rule(config, "x", "Normal", "y", "Glass", "C0");
    has_rule(config, "x", "Glass", "y", "Sticky", "C1");
    has_rule(config, "FrontRightFoot", "Sticky", "Ground", "Glass", "C0"); /* objects before surfaces */
    has_rule(config, "Wall", "Glass", "FrontRightFoot", "Normal", "C1");
    has_rule(config, "FrontLeftFoot", NULL, "Wall", NULL, NULL);
    pcm_config_release(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_config_loads),
        cmocka_unit_test(the_file_of_2004_says_what_it_says),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
