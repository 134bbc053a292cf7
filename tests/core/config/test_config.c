/* SPDX-License-Identifier: MIT */
/* Contact types: from text to the parameters that a law sees. */
#include "law.h"
#include "specimen.h"
#include "contact_type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static pcm_specimen specimen;

static int setup(void **state)
{
    (void)state;
    specimen_start(&specimen);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    specimen_end(&specimen);
    return 0;
}

static const pcm_type_info *type_of(const pcm_config *config, const char *name)
{
    const pcm_type *type = pcm_config_type_find(config, name);
    assert_non_null(type);
    return pcm_type_get_info(type);
}

static pcm_value value_of(const pcm_config *config, const char *type_name, const char *name)
{
    const pcm_type *type = pcm_config_type_find(config, type_name);
    assert_non_null(type);
    for (size_t i = 0; i < pcm_type_value_count(type); i++)
        if (strcmp(pcm_type_value_at(type, i).param->name, name) == 0)
            return pcm_type_value_at(type, i);
    fail_msg("no value %s", name);
    return (pcm_value){.param = NULL};
}

/* The K of a contact type whose block is `{ K = value; }`. */
static double k_of(const char *value)
{
    char text[500];
    snprintf(text, sizeof text, "ContactType C = Specimen { B = 0; K = %s; }; DefaultPair -> C;", value);
    pcm_config *config = specimen_good(&specimen, text);
    double      k = ((const Law *)type_of(config, "C")->params)->k;
    pcm_config_release(config);
    return k;
}

static void every_kind_reaches_the_law(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(
        &specimen, "ContactType C = Specimen [{ K = 2*(1+1) [kN/mm], B=1; Angle = 45 [deg]; Friction = 0.25;\n"
                   "  Hertz = 3 [N/mm^2*m^0.5]; Count = 7; Smooth = false; Method = Fancy; Label = \"x y\";\n"
                   "  Table = (1, 2.5, 3*2) [mm]; Limit = 3 [cm]; LogFile = \"a.csv\", Resolution = 1 [ms];\n"
                   "  Separation = 2 [mm]; Point = Follower; Single = true; Debug = true }];\n"
                   "DefaultPair -> C;");
    const pcm_type_info *info = type_of(config, "C");
    const Law           *law = info->params;
    assert_true(law->k == 4e6 && law->b == 1 && law->angle == 45 * (3.14159265358979323846 / 180));
    assert_true(law->mu == 0.25 && law->fraction == 3e6 && law->limit == 0.03);
    assert_true(law->count == 7 && law->smooth == 0 && law->method == 1);
    assert_string_equal(law->label, "x y");
    assert_int_equal(law->table.count, 3);
    assert_true(law->table.values[0] == 0.001 && law->table.values[1] == 0.0025 && law->table.values[2] == 0.006);
    assert_string_equal(info->common->log_file, "a.csv");
    assert_true(info->common->resolution == 0.001 && info->common->separation == 0.002);
    assert_true(info->common->point == PCM_POINT_FOLLOWER && info->common->single == 1 && info->common->debug == 1);
    assert_string_equal(info->name, "C");
    assert_string_equal(info->model->name, "Specimen");
    assert_int_equal(info->n_state, 3);
    assert_true(info->carries_frame);
    assert_int_equal(info->place.line, 1);
    assert_int_equal(info->place.column, 13);
    assert_ptr_equal(pcm_type_get_info(pcm_config_type_at(config, 0)), info);
    assert_int_equal(pcm_config_type_count(config), 1);
    pcm_config_release(config);
}

static void what_is_not_written_is_the_default(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(&specimen, "ContactType C = Specimen { K = 1e3 };\r\nDefaultPair -> C;");
    const pcm_type_info *info = type_of(config, "C");
    const Law           *law = info->params;
    assert_true(law->k == 1000 && law->b == 10 && law->angle == 0.5 && law->count == 3 && law->smooth == 1);
    assert_string_equal(law->label, "none");
    assert_int_equal(law->table.count, 0);
    assert_string_equal(info->common->log_file, "");
    assert_true(info->common->separation == 0.25); /* the law's reach */
    assert_true(value_of(config, "C", "K").written);
    assert_int_equal(value_of(config, "C", "K").place.column, 32);
    assert_int_equal(value_of(config, "C", "K").place.source_line_length, 37);
    assert_false(value_of(config, "C", "B").written);
    assert_true(value_of(config, "C", "B").number == 10);
    assert_string_equal(value_of(config, "C", "Method").text, "Plain");
    assert_string_equal(value_of(config, "C", "Smooth").text, "true");
    assert_true(value_of(config, "C", "Separation").number == 0.25);
    pcm_config_release(config);
}

static void numbers_may_be_expressions(void **state)
{
    (void)state;
    assert_true(k_of("3.14159/2") == 3.14159 / 2);
    assert_true(k_of("1 + 2*3 - 4/8") == 6.5);
    assert_true(k_of("2*(1+1)*-(-3)") == 12);
    assert_true(k_of("(5)") == 5);
    assert_true(k_of("+.5e1") == 5);
    assert_true(k_of("1-1+1000.") == 1000);
    assert_true(k_of("10-2-3") == 5);
    assert_true(k_of("16/4/2") == 2);
    assert_true(k_of("2e-3") == 2e-3);
    assert_true(k_of("1.0 [kN/m]") == 1000);
    assert_true(k_of("(1+1)[N/mm]") == 2000);
}

static void when_depends_on_values(void **state)
{
    (void)state;
    pcm_config     *config = specimen_good(&specimen, "ContactType P = Specimen { K = 11 };\n"
                                                          "ContactType F = Specimen { K = 11; Method = Fancy; Smooth=false };\n"
                                                          "DefaultPair -> P; ObjectPair A * B -> F;");
    const pcm_type *plain = pcm_config_type_find(config, "P"), *fancy = pcm_config_type_find(config, "F");
    assert_true(pcm_type_when(plain, NULL));
    assert_true(pcm_type_when(plain, "Method=Plain"));
    assert_false(pcm_type_when(plain, "Method=Fancy"));
    assert_true(pcm_type_when(fancy, "Method=Fancy"));
    assert_true(pcm_type_when(plain, "Smooth=true"));
    assert_false(pcm_type_when(fancy, "Smooth=true"));
    pcm_config_release(config);
}

#define TYPE(parameters) "ContactType C = Specimen { K = 100; " parameters " };DefaultPair -> C;"

static void wrong_values_are_told(void **state)
{
    (void)state;
    specimen_bad(&specimen, TYPE("Bb = 1"), 203, 0);
    specimen_bad(&specimen, TYPE("K = 2"), 204, 0);
    specimen_bad(&specimen, "ContactType C = Specimen { k = 10 };DefaultPair -> C;", 203, 0);
    specimen_bad(&specimen, "ContactType C = Specimen;DefaultPair -> C;", 205, 0);
    specimen_bad(&specimen, "ContactType C = Specimen { k = 1 };DefaultPair -> C;", 203, 0);
    specimen_bad(&specimen, "ContactType C = Specimen { B = -1; Method = Fanc; Limit = 1 };DefaultPair -> C;", 205, 209,
                 213, 0);
    specimen_bad(&specimen, TYPE("B = soft"), 206, 0);
    specimen_bad(&specimen, TYPE("B = \"soft\""), 206, 0);
    specimen_bad(&specimen, TYPE("B = (1, 2)"), 206, 0);
    specimen_bad(&specimen, TYPE("Count = 2.5"), 206, 0);
    specimen_bad(&specimen, TYPE("Count = 1e300"), 206, 0);
    specimen_bad(&specimen, TYPE("Smooth = 1"), 206, 0);
    specimen_bad(&specimen, TYPE("Method = 1"), 206, 0);
    specimen_bad(&specimen, TYPE("Label = word"), 206, 0);
    specimen_bad(&specimen, TYPE("Table = word"), 206, 0);
    specimen_bad(&specimen, TYPE("B = 1 [Ns/m]"), 207, 0);
    specimen_bad(&specimen, TYPE("B = 1 []"), 207, 0);
    specimen_bad(&specimen, TYPE("B = 1 [N]"), 208, 0);
    specimen_bad(&specimen, TYPE("Friction = 1 [N]"), 208, 0);
    specimen_bad(&specimen, TYPE("Count = 1 [m]"), 208, 0);
    specimen_bad(&specimen, TYPE("Method = Fancy [m]"), 208, 0);
    specimen_bad(&specimen, TYPE("Table = (1, 2) [N]"), 208, 0);
    specimen_bad(&specimen, TYPE("B = -1"), 209, 0);
    specimen_bad(&specimen, TYPE("Angle = 0"), 209, 0);
    specimen_bad(&specimen, TYPE("Angle = 1.5"), 209, 0);
    specimen_bad(&specimen, TYPE("Friction = 2.001"), 209, 0);
    specimen_bad(&specimen, TYPE("Count = 0"), 209, 0);
    specimen_bad(&specimen, TYPE("Table = (1, -2)"), 209, 0);
    specimen_bad(&specimen, TYPE("Friction = 1/0"), 210, 0);
    specimen_bad(&specimen, TYPE("Friction = 0/0"), 210, 0);
    specimen_bad(&specimen, TYPE("Friction = 1e999"), 210, 0);
    specimen_bad(&specimen, TYPE("B = 200"), 211, 0);
    specimen_bad(&specimen, TYPE("Count = 13"), 211, 0);
    specimen_bad(&specimen, TYPE("Hertz = 0"), 211, 0); /* see its reach */
    specimen_bad(&specimen, TYPE("Method = Fancie"), 213, 0);
    specimen_bad(&specimen, TYPE("Smooth = yes"), 213, 0);
}

static void refusals_of_a_law_point_at_the_parameter(void **state)
{
    (void)state;
    specimen_bad(&specimen, TYPE("B = 200"), 211, 0);
    assert_non_null(strstr(specimen.told, "test.pcm:1:37: error: B: more than K [PCM-211]"));
    specimen_bad(&specimen, TYPE("Count = 13"), 211, 0);
    assert_non_null(strstr(specimen.told, "test.pcm:1:13: error: Specimen refuses these parameters [PCM-211]"));
}

static void all_errors_of_a_type_are_told_and_its_rules_stay_good(void **state)
{
    (void)state;
    specimen_bad(&specimen,
                 "ContactType C1 = Specimen { K = -1; Angle = 9; Bb = 2; Count = x; };\n"
                 "ContactType C2 = Nothing { K = 1 };\n"
                 "ContactType C3 = Broken;\n"
                 "ContactType C4 = = ;\n"
                 "ContactType C5 = Specimen;\n"
                 "ObjectPair A * B -> C1; ObjectPair A * C -> C2; ObjectPair A * D -> C3; ObjectPair A * E -> C4;\n"
                 "ObjectPair A * F -> C5;",
                 304 /* at once */, 209, 209, 203, 206, 201, 202, 101, 205, 0);
}

static void a_parameter_in_vain_is_a_warning(void **state)
{
    (void)state;
    pcm_config *config = specimen_parse(&specimen, TYPE("Limit = 2"));
    assert_non_null(config);
    assert_int_equal(specimen.warnings, 1);
    assert_int_equal(specimen.seen[212], 1);
    pcm_config_release(config);
}

static void unused_types_are_a_warning(void **state)
{
    (void)state;
    pcm_config *config = specimen_parse(&specimen, "ContactType C = Specimen { K = 11 };");
    assert_non_null(config);
    assert_int_equal(specimen.seen[217], 1);
    pcm_config_release(config);
}

static void a_host_may_hold_a_config_for_long(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(&specimen, TYPE(""));
    assert_ptr_equal(pcm_config_retain(config), config);
    pcm_config_release(config);
    assert_non_null(pcm_config_type_find(config, "C"));
    assert_null(pcm_config_type_find(config, "D"));
    assert_null(pcm_config_type_at(config, 1));
    assert_null(pcm_config_rule_at(config, 1).type);
    assert_null(pcm_type_value_at(pcm_config_type_at(config, 0), 99).param);
    assert_ptr_equal(pcm_config_context(config), specimen.context);
    pcm_config_release(config);
    pcm_config_release(NULL);
}

/* Whatever allocation fails: a message, no configuration, nothing lost. */
static void survives_the_failure_of_every_allocation(void **state)
{
    (void)state;
    static const char text[] = "ContactType C1 = Specimen { K = 1000; Table = (1, 2, 3); Label = \"text\" };\n"
                               "ContactType C2 = Specimne { K = 1000; };\n"
                               "ObjectPair \"A*\" * B -> C1; SurfacePair C * D -> C1; DefaultPair -> C2;\n"
                               "ObjectPair A * * -> C1;";
    for (size_t refused = 1;; refused++) {
        size_t before = specimen.allocations;
        specimen.refused = before + refused;
        pcm_config *config = specimen_parse(&specimen, text);
        bool        reached = specimen.allocations >= specimen.refused;
        specimen.refused = 0;
        assert_null(config);
        if (!reached) {
            assert_int_equal(specimen.errors, 2);
            assert_true(refused > 10);
            return;
        }
        assert_true(specimen.seen[100] >= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_reaches_the_law),
        cmocka_unit_test(what_is_not_written_is_the_default),
        cmocka_unit_test(numbers_may_be_expressions),
        cmocka_unit_test(when_depends_on_values),
        cmocka_unit_test(wrong_values_are_told),
        cmocka_unit_test(refusals_of_a_law_point_at_the_parameter),
        cmocka_unit_test(all_errors_of_a_type_are_told_and_its_rules_stay_good),
        cmocka_unit_test(a_parameter_in_vain_is_a_warning),
        cmocka_unit_test(unused_types_are_a_warning),
        cmocka_unit_test(a_host_may_hold_a_config_for_long),
        cmocka_unit_test(survives_the_failure_of_every_allocation),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
