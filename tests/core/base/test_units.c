/* SPDX-License-Identifier: MIT */
#include "units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static pcm_unit read(const char *text)
{
    pcm_unit       unit;
    pcm_unit_fault fault;
    assert_true(pcm_unit_read(text, strlen(text), &unit, &fault));
    return unit;
}

static void converts(const char *text, double number, double si)
{
    pcm_unit unit = read(text);
    double   got = pcm_unit_to_si(&unit, number);
    assert_memory_equal(&got, &si, sizeof si);
}

static void has_dimension(const char *text, const char *dimension)
{
    pcm_unit unit = read(text);
    char     got[PCM_DIMENSION_SIZE];
    pcm_unit_dimension(&unit, got);
    assert_string_equal(got, dimension);
}

static void decimal_units_convert_exactly(void **state)
{
    (void)state;
    converts("1", 5, 5);
    converts("kN/mm", 2.1, 2.1e6);
    converts("kN/m", 1, 1000);
    converts("mm", 5, 0.005);
    converts("um", 3, 3e-6);
    converts("\xc2\xb5m", 3, 3e-6);
    converts("\xce\xbcm", 3, 3e-6);
    converts("g", 1, 1e-3);
    converts("kg", 7, 7);
    converts("MPa", 0.1, 1e5);
    converts("GPa", 210, 210e9);
    converts("bar", 1, 1e5);
    converts("t", 2, 2000);
    converts("cm^2", 3, 3e-4);
    converts("N/cm^3", 1, 1e6);
    converts("mN*s/mm", 4, 4);
    converts("1/(m*s)", 9, 9);
    converts("N\xc2\xb7s/m", 9, 9);
    converts(" N * s / m ^ 1.5 ", 9, 9);
}

static void other_units_convert(void **state)
{
    (void)state;
    converts("min", 2, 120);
    converts("h", 1, 3600);
    converts("1/min", 60, 60 * (1.0 / 60));
    converts("deg", 180, 180 * (3.14159265358979323846 / 180));
    converts("rad", 0.25, 0.25);
    converts("mK", 1, 1e-3);
    converts("W/K", 2, 2);
    converts("uC", 3, 3e-6);
    converts("kV", 1, 1e3);
    converts("rpm", 30, 30 * (3.14159265358979323846 / 30));
    pcm_unit unit = read("N/mm^1.5"); /* 10^4.5, which is not a double */
    assert_true(fabs(pcm_unit_to_si(&unit, 1) / 31622.776601683792 - 1) < 3e-16);
    unit = read("kN/mm^1.3"); /* 10^6.9: the exponent's rounding error times 7 ln(10), plus pcm_pow's error */
    assert_true(fabs(pcm_unit_to_si(&unit, 1) / 7943282.347242815 - 1) < 4e-15);
    unit = read("1/min^(4/3)"); /* 60^(-4/3) */
    assert_true(fabs(pcm_unit_to_si(&unit, 1) / 0.0042572746244086297 - 1) < 2e-15);
}

static void dimensions_are_compared(void **state)
{
    (void)state;
    has_dimension("N", "kg*m/s^2");
    has_dimension("N/m^1.5", "kg/m^0.5/s^2");
    has_dimension("Pa", "kg/m/s^2");
    has_dimension("Hz", "1/s");
    has_dimension("deg", "1");
    has_dimension("m/m", "1");
    has_dimension("J/m^2", "kg/s^2");
    has_dimension("N/m^1.3", "kg/m^0.3/s^2");
    has_dimension("m^(4/3)", "m^(4/3)");
    has_dimension("(N^1.5)^1.5", "kg^2.25*m^2.25/s^4.5");
    has_dimension("m^0.123456789", "m^0.123456789");
    has_dimension("m^-0", "1");
    pcm_unit newton = read("N"), product = read("kg*m/s^2"), joule = read("J");
    assert_true(pcm_unit_same_dimension(&newton, &product));
    assert_false(pcm_unit_same_dimension(&newton, &joule));
}

static const char *one_text(void *user, const char *name, size_t length)
{
    return length == 3 && memcmp(name, "Exp", 3) == 0 ? user : NULL;
}

static void exponents_may_have_names(void **state)
{
    (void)state;
    char   text[PCM_UNIT_SIZE], exponent[] = "1.3", room[PCM_UNIT_SIZE];
    size_t length = 0;
    assert_null(pcm_unit_exponent_name("N/m^1.5", &length));
    const char *unit = "N*s/m^Exp/m", *name = pcm_unit_exponent_name(unit, &length);
    assert_true(name == unit + 6 && length == 3);
    assert_true(pcm_unit_replace_names(unit, one_text, exponent, text));
    assert_string_equal(text, "N*s/m^1.3/m");
    assert_true(pcm_unit_replace_names("Pa*s^Exp*m^ Exp", one_text, exponent, text));
    assert_string_equal(text, "Pa*s^1.3*m^ 1.3");
    assert_false(pcm_unit_replace_names("N/m^Exponent", one_text, exponent, text));
    memset(room, '1', sizeof room - 1);
    room[sizeof room - 1] = '\0';
    assert_true(pcm_unit_replace_names(room, one_text, exponent, text));
    assert_false(pcm_unit_replace_names("N/m^Exp", one_text, room, text));
}

static void exponents_are_written_as_they_are_read(void **state)
{
    (void)state;
    static const struct {
        double      exponent;
        const char *text;
    } cases[] = {{2, "2"}, {1.5, "1.5"}, {4.0 / 3, "(4/3)"}, {-2.0 / 3, "(-2/3)"}, {1.23456789, "1.23456789"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[PCM_EXPONENT_SIZE], unit[PCM_EXPONENT_SIZE + 2] = "m^";
        pcm_exponent_write(cases[i].exponent, text);
        assert_string_equal(text, cases[i].text);
        assert_true(fabs(read(strcat(unit, text)).length - cases[i].exponent) < 1e-10);
    }
}

static void unknown_units_are_underlined(void **state)
{
    (void)state;
    static const struct {
        const char    *text;
        pcm_unit_error error;
        size_t         at, length;
    } cases[] = {
        {"", PCM_UNIT_SYNTAX, 0, 0},
        {"kNm", PCM_UNIT_UNKNOWN, 0, 3},
        {"N*foo/m", PCM_UNIT_UNKNOWN, 2, 3},
        {"N/m^", PCM_UNIT_EXPONENT, 4, 0},
        {"N/m^n", PCM_UNIT_EXPONENT, 4, 1},
        {"N/m^(1/0)", PCM_UNIT_EXPONENT, 4, 5},
        {"N/m^(4/3", PCM_UNIT_EXPONENT, 4, 4},
        {"N/m^1.3.5", PCM_UNIT_EXPONENT, 4, 3},
        {"N//m", PCM_UNIT_SYNTAX, 2, 1},
        {"N m", PCM_UNIT_SYNTAX, 1, 1},
        {"(N", PCM_UNIT_SYNTAX, 2, 0},
        {"N)", PCM_UNIT_SYNTAX, 1, 1},
        {"N^99", PCM_UNIT_EXPONENT, 2, 2},
        {"kmin", PCM_UNIT_UNKNOWN, 0, 4},
        {"((((((((((N))))))))))", PCM_UNIT_SYNTAX, 9, 1},
        {"(N^6)^6", PCM_UNIT_EXPONENT, 0, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pcm_unit       unit;
        pcm_unit_fault fault;
        assert_false(pcm_unit_read(cases[i].text, strlen(cases[i].text), &unit, &fault));
        assert_int_equal(fault.error, cases[i].error);
        assert_int_equal(fault.at, cases[i].at);
        assert_int_equal(fault.bad, cases[i].length);
    }
}

static void certain_units_are_suggested(void **state)
{
    (void)state;
    static const struct {
        const char *text, *instead, *in_si;
    } cases[] = {
        {"KN/m", "kN", NULL},
        {"Ns/m", "N*s", NULL},
        {"kNm", "kN*m", NULL},
        {"kNewton/m", "kN", NULL},
        {"N/m^3/2", "1.5", NULL},
        {"m^3/2", "1.5", NULL},
        {"m^4/2", "2", NULL},
        {"m^-1/2", "-0.5", NULL},
        {"sec", "s", NULL},
        {"Meters", "m", NULL},
        {"hz", "Hz", NULL},
        {"\xc2\xb0", "deg", NULL},
        {"mpa", "", NULL},
        {"foo", "", NULL},
        {"m^5/24", "", NULL},
        {"lbf/in", "", "4.4482216152605 N"},
        {"N/in", "", "25.4 mm"},
        {"N/m^x", "", NULL},
        {"%", "", NULL},
        {"KG", "kg", NULL},
        {"N.m", "*", NULL},
        {"N m", "*", NULL},
        {"N-s", "*", NULL},
        {"N per m", "/", NULL},
        {"mm2", "^2", NULL},
        {"mm\xc2\xb2", "^2", NULL},
        {"s-1", "^-1", NULL},
        {"m**2", "^2", NULL},
        {"m^1,5", "1.5", NULL},
        {"m^{1.5}", "1.5", NULL},
        {"m^1.3.5", "", NULL},
        {"Nsm", "N*s*m", NULL},
        {"kilonewton", "kN", NULL},
        {"ohm", "", "1 V/A"},
        {"degC", "", NULL},
        {"MM", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pcm_unit       unit;
        pcm_unit_fault fault;
        assert_false(pcm_unit_read(cases[i].text, strlen(cases[i].text), &unit, &fault));
        assert_string_equal(fault.instead, cases[i].instead);
        assert_int_equal(fault.in_si != NULL, cases[i].in_si != NULL);
        if (fault.in_si != NULL)
            assert_string_equal(fault.in_si, cases[i].in_si);
    }
    assert_int_equal(read("deg").degrees, 1);
    assert_int_equal(read("rad").degrees, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_units_convert_exactly),
        cmocka_unit_test(other_units_convert),
        cmocka_unit_test(dimensions_are_compared),
        cmocka_unit_test(exponents_may_have_names),
        cmocka_unit_test(exponents_are_written_as_they_are_read),
        cmocka_unit_test(unknown_units_are_underlined),
        cmocka_unit_test(certain_units_are_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
