/* SPDX-License-Identifier: MIT */
/* Units whose exponent is the value of another parameter. */
#include "specimen.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static pcm_specimen specimen;

enum { STIFFNESS, DAMPING, EXPONENT, COUNT, MOMENT };

#define TYPE(values) "ContactType C = Curve { " values " }; DefaultPair -> C;"

static void holds(const pcm_config *config, const char *type, size_t index, double number, const char *unit)
{
    const pcm_value value = pcm_type_value_at(pcm_config_type_find(config, type), index);
    assert_true(fabs(value.number - number) <= 1e-15 * fabs(number));
    assert_string_equal(value.param->unit, unit);
}

static void is(const char *text, size_t index, double number, const char *unit)
{
    pcm_config *config = specimen_good(&specimen, text);
    holds(config, "C", index, number, unit);
    pcm_config_release(config);
}

static void a_unit_follows_its_exponent(void **state)
{
    (void)state;
    is(TYPE("Stiffness = 3 [N/m^1.5]"), STIFFNESS, 3, "N/m^1.5"); /* the exponent's default */
    is(TYPE("Stiffness = 3 [N/m^1.3]; Exponent = 1.3"), STIFFNESS, 3, "N/m^1.3");
    is(TYPE("Exponent = 1.3; Stiffness = 3 [N/m^1.3]"), STIFFNESS, 3,
       "N/m^1.3"); /* the two parameters may have either order */
    is(TYPE("Exponent = 4/3; Stiffness = 3 [N/m^(4/3)]"), STIFFNESS, 3, "N/m^(4/3)");
    is(TYPE("Exponent = 2; Stiffness = 3 [kN/mm^2]"), STIFFNESS, 3e9, "N/m^2");
    is(TYPE("Exponent = 0; Stiffness = 3 [N]"), STIFFNESS, 3, "N/m^0");
    is(TYPE("Exponent = 2; Stiffness = 3"), STIFFNESS, 3, "N/m^2"); /* SI units */
    is(TYPE("Exponent = 2"), STIFFNESS, 1e6, "N/m^2");              /* and the default's */
    is(TYPE("Exponent = 2; Damping = 3 [N*s/m^3]"), DAMPING, 3, "N*s/m/m^2");
    is(TYPE("Count = 3; Moment = 3 [N*m^3]"), MOMENT, 3, "N*m^3");
}

static void names_have_exponents_too(void **state)
{
    (void)state;
    is("Let n = 1.3; Let dent = 1 [mm]; Let load = 5 [N];" TYPE("Exponent = n; Stiffness = load/dent^n"), STIFFNESS,
       5 * pow(1e-3, -1.3), "N/m^1.3");
    is("Let k = 8 [N/m^(4/3)];" TYPE("Stiffness = 2*k; Exponent = 4/3"), STIFFNESS, 16, "N/m^(4/3)");
}

static void a_unit_with_another_exponent_is_an_error(void **state)
{
    (void)state;
    specimen_bad(&specimen, TYPE("Exponent = 1.3; Stiffness = 3 [N/m^1.5]"), 208, 0);
    assert_non_null(strstr(specimen.told, "[N/m^1.5] is kg/m^0.5/s^2, but 'Stiffness' is kg/m^0.3/s^2: write it in "
                                          "[N/m^1.3], for example"));
    assert_non_null(strstr(specimen.told, "test.pcm:1:25: note: the exponent of [N/m^1.3] is written here"));
    specimen_bad(&specimen, TYPE("Stiffness = 3 [N/m]"), 208, 0); /* no note, since the exponent is not written */
    assert_null(strstr(specimen.told, "note"));
    specimen_bad(&specimen, "Let k = 3 [N/m^2];" TYPE("Exponent = 3; Stiffness = k"), 208, 0);
    specimen_bad(&specimen, TYPE("Exponent = 1.3; Damping = 2e9"), 209, 0);
    assert_non_null(strstr(specimen.told, "must be at least 0 and at most 1000000000 N*s/m/m^1.3"));
    specimen_bad(&specimen, TYPE("Exponent = -1; Stiffness = 3 [N/m^9]"), 209, 0); /* and the unit is not mentioned */
    specimen_bad(&specimen, TYPE("Exponent = one; Stiffness = 3 [N/m^9]"), 206, 0);
    specimen_bad(&specimen, TYPE("Exponent = 31"), 207, 207, 0);
    assert_non_null(strstr(specimen.told, "'Stiffness' is in [N/m^31] here: an exponent of a unit is from -30 to 30"));
    specimen_bad(&specimen, TYPE("Stiffness = 1; Stiffness = 3 [N/m^9]"), 204, 0);
}

static void inherited_values_keep_their_unit(void **state)
{
    (void)state;
#define BASE "ContactType B = Curve { Exponent = 1.3; Stiffness = 3 [N/m^1.3]; };"
    is(BASE "ContactType C = B { Damping = 5 [N*s/m^2.3]; }; DefaultPair -> C;", STIFFNESS, 3, "N/m^1.3");
    is(BASE "ContactType C = B { Exponent = 2; Stiffness = 4 [N/m^2]; }; DefaultPair -> C;", STIFFNESS, 4, "N/m^2");
    is(BASE "ContactType C = B { Exponent = 2; Stiffness = 4; }; DefaultPair -> C;", DAMPING, 0, "N*s/m/m^2");
    specimen_bad(&specimen, BASE "ContactType C = B { Exponent = 2; }; DefaultPair -> C;", 208, 0);
    assert_non_null(strstr(specimen.told, "test.pcm:1:80: error: 'Stiffness' is in [N/m^2] here, but is taken over in "
                                          "[N/m^1.3]: write it here too"));
    assert_non_null(strstr(specimen.told, "test.pcm:1:13: note: it is taken over from this"));
}

static pcm_config *with_settings(const char *text, const char *const *settings, size_t count)
{
    pcm_config_def def = pcm_config_defaults();
    def.name = "test.pcm";
    def.text = text;
    def.length = strlen(text);
    def.settings = settings;
    def.n_settings = count;
    specimen_forget(&specimen);
    return pcm_config_open(specimen.context, &def);
}

static void settings_change_units(void **state)
{
    (void)state;
    static const char *const settings[] = {"C.Stiffness = 3 [N/m^2]", "C.Exponent = 2"};
    pcm_config              *config = with_settings(TYPE("Exponent = 1.3; Stiffness = 3 [N/m^1.3]"), settings, 2);
    assert_non_null(config);
    assert_int_equal(specimen.errors, 0);
    holds(config, "C", STIFFNESS, 3, "N/m^2");
    pcm_config_release(config);
    assert_null(with_settings(TYPE("Exponent = 1.3; Stiffness = 3 [N/m^1.3]"), settings + 1, 1));
    assert_int_equal(specimen.seen[208], 1);
    assert_non_null(strstr(specimen.told, "test.pcm:1:55: error: "));
    assert_non_null(strstr(specimen.told, "setting:1:3: note: the exponent of [N/m^2] is written here"));
}

static void parts_have_exponents_of_their_own(void **state)
{
    (void)state;
    pcm_config *config = specimen_good(&specimen, "ContactType C = Specimen + Curve { K = 20; Specimen.Count = 5; "
                                                  "Curve.Count = 3; Moment = 2 [N*m^3]; Stiffness = 4 [N/m^1.7]; "
                                                  "Exponent = 1.7; }; DefaultPair -> C;");
    enum { OF_SPECIMEN = 12 };
    holds(config, "C", OF_SPECIMEN + MOMENT, 2, "N*m^3");
    holds(config, "C", OF_SPECIMEN + STIFFNESS, 4, "N/m^1.7");
    pcm_config_release(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_follows_its_exponent),
        cmocka_unit_test(names_have_exponents_too),
        cmocka_unit_test(a_unit_with_another_exponent_is_an_error),
        cmocka_unit_test(inherited_values_keep_their_unit),
        cmocka_unit_test(settings_change_units),
        cmocka_unit_test(parts_have_exponents_of_their_own),
    };
    specimen_start(&specimen);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    specimen_end(&specimen);
    return failed;
}
