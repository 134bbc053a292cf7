/* SPDX-License-Identifier: MIT */
/* Contact types: from text to the parameters that a law sees. */
#include "contact_type.h"
#include "law.h"
#include "specimen.h"
#include <pcm/messages.h>

#include <fenv.h>
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

/* Runs as the last test: cmocka does not count failures in a group's teardown. */
static void all_memory_is_given_back(void **state)
{
    (void)state;
    specimen_end(&specimen);
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

/* The value of K in a contact type whose block is `{ K = value; }`. */
static double k_of(const char *value)
{
    char text[500];
    snprintf(text, sizeof text, "ContactType C = Specimen { B = 0; K = %s; }; DefaultPair -> C;", value);
    pcm_config *config = specimen_good(&specimen, text);
    double      k = ((const Law *)type_of(config, "C")->params)->k;
    pcm_config_release(config);
    return k;
}

static void values_are_the_same_however_the_host_rounds(void **state)
{
    (void)state;
    const int    ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const double wanted = k_of("0.1 [kN/mm] / 3");
    for (size_t i = 0; i < 4; i++) {
        fesetround(ways[i]);
        const double k = k_of("0.1 [kN/mm] / 3");
        assert_int_equal(fegetround(), ways[i]);
        fesetround(FE_TONEAREST);
        assert_memory_equal(&k, &wanted, sizeof k);
    }
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

static void unwritten_parameters_get_the_default(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(&specimen, "ContactType C = Specimen { K = 1e3 };\r\nDefaultPair -> C;");
    const pcm_type_info *info = type_of(config, "C");
    const Law           *law = info->params;
    assert_true(law->k == 1000 && law->b == 10 && law->angle == 0.5 && law->count == 3 && law->smooth == 1);
    assert_string_equal(law->label, "none");
    assert_int_equal(law->table.count, 0);
    assert_string_equal(info->common->log_file, "");
    assert_true(info->common->separation == 0.25); /* the reach that the law gives */
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

/* The value of K in a type, with these Lets before it. */
static double k_with(const char *lets, const char *value)
{
    char text[400];
    snprintf(text, sizeof text, "%s ContactType C = Specimen { K = %s; B = 0 }; DefaultPair -> C;", lets, value);
    pcm_config *config = specimen_good(&specimen, text);
    double      k = pcm_type_value_at(pcm_config_type_at(config, 0), 0).number;
    pcm_config_release(config);
    return k;
}

static void numbers_may_have_names(void **state)
{
    (void)state;
    assert_true(k_with("Let k = 3;", "k") == 3); /* takes the unit of the parameter */
    assert_true(k_with("Let k = 3;", "k [kN/m]") == 3000);
    assert_true(k_with("Let k = 3 [kN/m];", "k") == 3000);
    assert_true(k_with("Let k = 3 [kN/m];", "k/2 + 5 [N/m]") == 1505);
    assert_true(k_with("Let f = 10 [N]; Let d = 5 [mm];", "f/d") == 2000);
    assert_true(k_with("Let m = 2 [kg]; Let w = 10 [1/s];", "m*w^2") == 200);
    assert_true(k_with("Let m = 2 [kg]; Let k = 8 [N/m]; Let d = 2*sqrt(k*m);", "d^2/m/4") == 8);
    assert_true(k_with("Let b = a*2; Let a = 3 [N/m];", "b - -a") == 9); /* lines may have any order */
    assert_true(k_with("Let h = 4 [N/m^1.5]; Let d = 9 [m];", "h*d^0.5") == 12);
    assert_true(k_with("Let r = 1 [mm] / 1 [m];", "1e6*r*1 [N/m]") == 1000);
    assert_true(k_with("Let a = 8 [N/m];", "(a^(1/3))^3") == 8); /* exponents may have any size */
}

static void units_of_expressions_must_fit(void **state)
{
    (void)state;
#define LET(lets, value) lets "ContactType C = Specimen { K = " value "; B = 0 }; DefaultPair -> C;"
    specimen_bad(&specimen, LET("Let k = 3 [N];", "k"), 208, 0);
    assert_non_null(strstr(specimen.told, "k is kg*m/s^2, but 'K' is kg/s^2: write it in [N/m], for example"));
    assert_non_null(strstr(specimen.told, "test.pcm:1:5: note: 'k' is defined here"));
    specimen_bad(&specimen, LET("Let k = 3 [N];", "k + 1 [m]"), 226, 0);
    specimen_bad(&specimen, LET("Let k = 3 [N/m];", "k + 1"), 226, 0);
    specimen_bad(&specimen, LET("Let k = 3 [N/m];", "k [N/m]"), 226, 0);
    specimen_bad(&specimen, LET("Let k = 3 [N/m];", "2^k"), 226, 0);
    specimen_bad(&specimen, LET("Let k = 3 [m^0.5];", "sqrt(k)"), 208, 0);
    specimen_bad(&specimen, LET("Let k = 3 [m];", "k^31"), 226, 0);
    specimen_bad(&specimen, LET("Let k = 3 [m];", "k^(0/0)"), 226, 0);
    specimen_bad(&specimen, LET("Let k = 3;", "cube(k)"), 225, 0);
    specimen_bad(&specimen, LET("Let k = 3;", "2*kk"), 225, 0);
    specimen_bad(&specimen, LET("Let kappa = 3;", "kapa"), 206, 0);
    assert_non_null(strstr(specimen.told, "did you mean 'kappa'?"));
    specimen_bad(&specimen, LET("Let k = -1 [N/m];", "k"), 209, 0);
    assert_non_null(strstr(specimen.told, "note: 'k' is defined here"));
    specimen_bad(&specimen, LET("Let k = 1; Let k = 2;", "k"), 228, 0);
    specimen_bad(&specimen, LET("Let k = j; Let j = 2*k;", "k"), 229, 0);
    specimen_bad(&specimen, LET("Let k = 1 [foo];", "k"), 207, 0);
    specimen_bad(&specimen, LET("Let k = 1 [foo];", "5"), 207, 0);
    specimen_bad(&specimen, LET("Let k = 1/0;", "k"), 210, 0);
    specimen_bad(&specimen, "Let k = 30 [deg]; ContactType C = Specimen { K = 10; Friction = 2*k }; DefaultPair -> C;",
                 208, 0);
    specimen_bad(&specimen, "ContactType C = Specimen { K = 10; Table = (1 [mm], 2) [m] }; DefaultPair -> C;", 226, 0);
    specimen_bad(&specimen, "ContactType C = Specimen { K = 10; Table = (1 [mm], 2 [N]) }; DefaultPair -> C;", 208, 0);
    pcm_config *config = specimen_good(
        &specimen, "Let d = 3 [mm]; Let n = 2; ContactType C = Specimen { K = 10; Table = (1 [mm], 2, d*n); Count = n; "
                   "Label = \"n\" }; DefaultPair -> C;");
    const pcm_type *type = pcm_config_type_at(config, 0);
    const pcm_list  list = pcm_type_value_at(type, 9).list;
    assert_true(list.count == 3 && list.values[0] == 0.001 && list.values[1] == 2 && list.values[2] == 0.006);
    assert_true(pcm_type_value_at(type, 5).number == 2);
    pcm_config_release(config);
}

static void a_type_may_be_made_from_another(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(
        &specimen, "ContactType Wet = Dry { Friction = 0.2; Label = \"wet\" };\n" /* in any order */
                   "ContactType Dry = Specimen { K = 40; Friction = 0.6; Separation = 1 [mm] };\n"
                   "ContactType Icy = Wet { Friction = 0; };\n"
                   "ContactType Same = Dry;\n"
                   "ContactType Specimen = Specimen { K = 50; };\n" /* the model must come first */
                   "ObjectPair A * B -> Wet; ObjectPair A * C -> Icy; ObjectPair A * D -> Same; ObjectPair A * E -> "
                   "Specimen;");
    static const struct {
        const char *type, *label;
        double      k, friction, separation;
        uint32_t    line; /* of K */
    } types[] = {{"Wet", "wet", 40, 0.2, 0.001, 2},
                 {"Dry", "none", 40, 0.6, 0.001, 2},
                 {"Icy", "wet", 40, 0, 0.001, 2},
                 {"Same", "none", 40, 0.6, 0.001, 2},
                 {"Specimen", "none", 50, 0.5, 0.25, 5}};
    for (uint32_t i = 0; i < 5; i++) {
        const pcm_type *type = pcm_config_type_at(config, i); /* in the order of the text */
        assert_string_equal(pcm_type_get_info(type)->name, types[i].type);
        assert_string_equal(pcm_type_get_info(type)->model->name, "Specimen");
        assert_true(pcm_type_value_at(type, 0).number == types[i].k);
        assert_int_equal(pcm_type_value_at(type, 0).place.line, types[i].line);
        assert_true(pcm_type_value_at(type, 3).number == types[i].friction);
        assert_string_equal(pcm_type_value_at(type, 8).text, types[i].label);
        assert_true(pcm_type_get_info(type)->common->separation == types[i].separation);
    }
    pcm_config_release(config);
}

static void errors_of_derived_types(void **state)
{
    (void)state;
#define DRY "ContactType Dry = Specimen { K = 40 };"
#define USE "DefaultPair -> Wet;"
    specimen_bad(&specimen, DRY "ContactType Wet = Dri;" USE, 201, 0);
    assert_non_null(strstr(specimen.told, "did you mean 'Dry'?"));
    specimen_bad(&specimen, DRY "ContactType Wet = Dry { Foo = 1 };" USE, 203, 0);
    specimen_bad(&specimen, DRY "ContactType Wet = Dry { K = 1; K = 2 };" USE, 204, 0);
    specimen_bad(&specimen, DRY "ContactType Wet = Dry { B = 50 };" USE, 211, 0);
    assert_non_null(strstr(specimen.told, "test.pcm:1:63: error: B: more than K"));
    assert_non_null(strstr(specimen.told, "test.pcm:1:13: note: the other parameters are those of this"));
    specimen_bad(&specimen, "ContactType Dry = Specimen { K = -40 }; ContactType Wet = Dry { B = 1 };" USE, 209, 0);
    specimen_bad(&specimen, "ContactType Dry = Specimen { K = -40 }; ContactType Wet = Dry { B = -1 };" USE, 209, 209,
                 0);
    specimen_bad(&specimen, "ContactType Dry = Specimen { }; ContactType Wet = Dry { K = 50 };" USE, 205, 0);
    specimen_bad(&specimen, "ContactType Wet = Dry; ContactType Dry = Wet { K = 3 };" USE, 229, 0);
    assert_non_null(strstr(specimen.told, "test.pcm:1:42: error: 'Wet' is made from itself"));
    assert_non_null(strstr(specimen.told, "test.pcm:1:19: note: it is made here"));
    specimen_bad(&specimen, "ContactType Wet = Wet;" USE, 229, 0);
    pcm_config *config = specimen_parse(&specimen, DRY "ContactType Wet = Dry; DefaultPair -> Dry;");
    assert_int_equal(specimen.seen[217], 1); /* only about Wet */
    assert_int_equal(specimen.warnings, 1);
    pcm_config_release(config);
}

static void types_are_not_made_from_each_other_without_end(void **state)
{
    (void)state;
    enum { DEEP = 5000 };
    char *text = calloc(1, DEEP * 40), *end = text;
    assert_non_null(text);
    for (int i = 0; i < DEEP; i++)
        end += sprintf(end, "ContactType C%d = C%d;", i, i + 1);
    sprintf(end, "ContactType C%d = Specimen { K = 20 }; DefaultPair -> C0;", DEEP);
    assert_null(specimen_parse(&specimen, text));
    assert_true(specimen.seen[PCM_MSG_TOO_DEEP] > 0 && specimen.seen[PCM_MSG_TOO_DEEP] == specimen.errors);
    free(text);
}

static pcm_config *open_with(const char *text, const char *const *settings, size_t count)
{
    pcm_config_def def = pcm_config_defaults();
    specimen_forget(&specimen);
    def.name = "test.pcm";
    def.text = text;
    def.length = strlen(text);
    def.settings = settings;
    def.n_settings = count;
    return pcm_config_open(specimen.context, &def);
}

static void settings_come_before_the_file(void **state)
{
    (void)state;
    static const char        text[] = "Let grip = 0.3; ContactType Dry = Specimen { K = 40; Friction = grip };\n"
                                      "ContactType Wet = Dry { Friction = grip/2; B = 1 };\n"
                                      "ContactType a.b = Dry { Label = \"x\" };\n"
                                      "ObjectPair A * B -> Dry; ObjectPair A * C -> Wet; DefaultPair -> a.b;";
    static const char *const settings[] = {"Dry.K = 50",        "Dry.K=60 [N/m];",   "grip = 0.4",
                                           "Wet.Friction=grip", "a.b.Label = \"y\"", "Wet.Count=7"};
    pcm_config              *config = open_with(text, settings, 6);
    if (config == NULL || specimen.length > 0)
        fail_msg("%s", specimen.told);
    const pcm_type *dry = pcm_config_type_at(config, 0), *wet = pcm_config_type_at(config, 1);
    assert_true(pcm_type_value_at(dry, 0).number == 60); /* the later setting */
    assert_true(pcm_type_value_at(wet, 0).number == 60); /* inherited from the other type */
    assert_true(pcm_type_value_at(dry, 3).number == 0.4 && pcm_type_value_at(wet, 3).number == 0.4);
    assert_true(pcm_type_value_at(wet, 5).number == 7);
    assert_string_equal(pcm_type_value_at(wet, 5).place.file, "setting");
    assert_string_equal(pcm_type_value_at(pcm_config_type_find(config, "a.b"), 8).text, "y");
    pcm_config_release(config);
    static const struct {
        const char *setting, *told;
    } wrong[] = {
        {"Dry.K = -1", "setting:1:9: error: 'K' is -1 N/m, but must be at least 0 N/m [PCM-209]"},
        {"Dry.Fricton = 1", "setting:1:5: error: Specimen has no parameter 'Fricton'; did you mean 'Friction'?"},
        {"Dri.K = 1",
         "setting:1:1: error: a setting is Type.Parameter = value, Material.Property = value or Name = number; "
         "there is no contact type or material 'Dri'; did you mean 'Dry'?"},
        {"gripp = 1", "there is no Let 'gripp'; did you mean 'grip'?"},
        {"Dry.K", "setting:1:6: error: '=' expected here"},
        {"Dry.K: 50", "setting:1:6: error: '=' expected instead of ':'"},
        {"Dry.K = ", "setting:1:8: error: a name, a quoted text or a number expected here"},
        {"Dry.K = 50; x", "expected instead of 'x'"},
        {"", "a name or a quoted text expected here"},
        {"ContactType X = Specimen", "setting:1:1: error: a setting is one value"},
        {"Dry.K = 50; DefaultPair -> Dry", "setting:1:13: error: a setting is one value"},
        {"Dry.K = 5 [m]", "setting:1:11: error: [m] is m, but 'K' is kg/s^2"},
        {"grip = grip", "'grip' is defined by itself"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(open_with(text, &wrong[i].setting, 1));
        if (strstr(specimen.told, wrong[i].told) == NULL)
            fail_msg("%s says\n%s", wrong[i].setting, specimen.told);
        if (specimen.errors != 1)
            fail_msg("%s says more than one thing\n%s", wrong[i].setting, specimen.told);
    }
    assert_null(pcm_config_open(specimen.context, &(pcm_config_def){.name = "x"}));
    assert_int_equal(specimen.seen[400], 1); /* a struct without its size */
    assert_null(pcm_config_open(specimen.context, &(pcm_config_def){.size = sizeof(pcm_config_def)}));
    assert_int_equal(specimen.seen[322], 1); /* a struct without a name */
}

static void unused_numbers_are_a_warning(void **state)
{
    (void)state;
    pcm_config *config = specimen_parse(&specimen, LET("Let k = 3; Let other = 4;", "k + 8"));
    assert_non_null(config);
    assert_int_equal(specimen.seen[227], 1);
    assert_int_equal(specimen.warnings, 1);
    pcm_config_release(config);
}

static void a_percentage_for_friction_is_a_warning(void **state)
{
    (void)state;
    static const struct {
        const char *friction;
        size_t      warnings;
    } cases[] = {{"2", 0}, {"5", 0}, {"80", 1}, {"100", 1}, {"1e6", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "ContactType C = Specimen { K = 10; Grip = %s }; DefaultPair -> C;",
                 cases[i].friction);
        pcm_config *config = specimen_parse(&specimen, text);
        assert_non_null(config);
        assert_int_equal(specimen.seen[224], cases[i].warnings);
        pcm_config_release(config);
    }
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

static void wrong_values_are_reported(void **state)
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
    specimen_bad(&specimen, TYPE("Method = Fancy [m]"), 206, 0);
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
    specimen_bad(&specimen, TYPE("Hertz = 0"), 211, 0); /* because of the reach that follows from it */
    specimen_bad(&specimen, TYPE("Method = Fancie"), 213, 0);
    specimen_bad(&specimen, TYPE("Smooth = yes"), 213, 0);
}

static void refusals_of_a_law_point_at_the_parameter(void **state)
{
    (void)state;
    specimen_bad(&specimen, TYPE("B = 200"), 211, 0);
    assert_non_null(strstr(specimen.told, "test.pcm:1:37: error: B: more than K [PCM-211]"));
    specimen_bad(&specimen, TYPE("Count = 13"), 211, 0);
    assert_non_null(strstr(specimen.told, "test.pcm:1:13: error: Specimen rejects these parameters [PCM-211]"));
}

static void all_errors_of_a_type_are_reported_and_its_rules_stay_valid(void **state)
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
                 304 /* when the rule is read */, 209, 209, 203, 206, 201, 202, 101, 205, 0);
}

static void a_parameter_in_vain_is_a_warning(void **state)
{
    (void)state;
    pcm_config *config = specimen_parse(&specimen, TYPE("Limit = 0.2"));
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

/* Each allocation fails in turn: there is a message and no configuration, and no memory leaks. */
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
        cmocka_unit_test(values_are_the_same_however_the_host_rounds),
        cmocka_unit_test(every_kind_reaches_the_law),
        cmocka_unit_test(unwritten_parameters_get_the_default),
        cmocka_unit_test(numbers_may_be_expressions),
        cmocka_unit_test(numbers_may_have_names),
        cmocka_unit_test(units_of_expressions_must_fit),
        cmocka_unit_test(a_type_may_be_made_from_another),
        cmocka_unit_test(errors_of_derived_types),
        cmocka_unit_test(types_are_not_made_from_each_other_without_end),
        cmocka_unit_test(settings_come_before_the_file),
        cmocka_unit_test(unused_numbers_are_a_warning),
        cmocka_unit_test(a_percentage_for_friction_is_a_warning),
        cmocka_unit_test(when_depends_on_values),
        cmocka_unit_test(wrong_values_are_reported),
        cmocka_unit_test(refusals_of_a_law_point_at_the_parameter),
        cmocka_unit_test(all_errors_of_a_type_are_reported_and_its_rules_stay_valid),
        cmocka_unit_test(a_parameter_in_vain_is_a_warning),
        cmocka_unit_test(unused_types_are_a_warning),
        cmocka_unit_test(a_host_may_hold_a_config_for_long),
        cmocka_unit_test(survives_the_failure_of_every_allocation),
        cmocka_unit_test(all_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
