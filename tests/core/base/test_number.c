/* SPDX-License-Identifier: MIT */
/* Numbers as text, compared with the C library's correctly rounded conversions in the "C" locale. */
#include <pcm/pcm.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void assert_same(double a, double b) { assert_memory_equal(&a, &b, sizeof a); }

static double read_all(const char *text)
{
    double value = 0;
    assert_int_equal(pcm_number_read(text, strlen(text), &value), strlen(text));
    return value;
}

static const char *write(double value, int digits)
{
    static char text[PCM_NUMBER_SIZE];
    size_t      length = pcm_number_write(value, digits, text);
    assert_int_equal(length, strlen(text));
    return text;
}

static void reads_what_people_write(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "1",
                                        "1000.0",
                                        ".001",
                                        "1e-3",
                                        "2.1e11",
                                        "-5.",
                                        "+7E+2",
                                        "1e400",
                                        "-1e400",
                                        "1e-400",
                                        "0e999",
                                        "00012.5",
                                        "123456789012345678901234567890",
                                        "1e23",
                                        "5e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "9007199254740993",
                                        "9007199254740993.0000000000000000000000000000000000001",
                                        "8.5e-99999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_same(read_all(texts[i]), strtod(texts[i], NULL));
}

static void reads_no_further_than_the_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t      length;
    } cases[] = {{"", 0},     {".", 0},     {"-", 0},   {"-.", 0},  {"e5", 0},   {"1e", 1}, {"1e+", 1}, {"1.2.3", 3},
                 {"12kN", 2}, {"1e5e5", 3}, {"inf", 0}, {"nan", 0}, {"0x10", 1}, {" 1", 0}, {"1,5", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 77;
        assert_int_equal(pcm_number_read(cases[i].text, strlen(cases[i].text), &value), cases[i].length);
        if (cases[i].length == 0)
            assert_same(value, 77);
    }
    double value = 0;
    assert_int_equal(pcm_number_read("123456", 3, &value), 3);
    assert_same(value, 123);
}

/* Midpoints between neighbouring doubles, with all digits: the hardest texts to read correctly. */
static void reads_midpoints_exactly(void **state)
{
    (void)state;
    uint64_t random = 42;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&random) & ~(UINT64_C(1) << 63);
        if ((bits >> 52) > 0x7f0)
            continue;
        double      below = double_of(bits), above = double_of(bits + 1);
        long double middle = ((long double)below + (long double)above) / 2;
        char        text[1200];
        snprintf(text, sizeof text, "%.770Lg", middle);
        assert_same(read_all(text), bits & 1 ? above : below);
        if (strchr(text, 'e') == NULL)
            continue;
        char longer[1300]; /* the midpoint and a 1 far behind it */
        int  mantissa = (int)(strchr(text, 'e') - text);
        snprintf(longer, sizeof longer, "%.*s%s%0100d1%s", mantissa, text, strchr(text, '.') == NULL ? "." : "", 0,
                 text + mantissa);
        assert_same(read_all(longer), above);
    }
}

static void reads_random_digits(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int i = 0; i < 100000; i++) {
        char text[80];
        int  digits = 1 + (int)(next_random(&random) % 45), length = 0;
        for (int j = 0; j < digits; j++) {
            text[length++] = (char)('0' + next_random(&random) % 10);
            if (j == digits / 3)
                text[length++] = '.';
        }
        snprintf(text + length, 10, "e%d", (int)(next_random(&random) % 680) - 345);
        assert_same(read_all(text), strtod(text, NULL));
    }
}

static void writes_plainly(void **state)
{
    (void)state;
    assert_string_equal(write(0, 0), "0");
    assert_string_equal(write(-0.0, 0), "-0");
    assert_string_equal(write(0.1, 0), "0.1");
    assert_string_equal(write(1000, 0), "1000");
    assert_string_equal(write(0.0001, 0), "0.0001");
    assert_string_equal(write(0.00001, 0), "1e-5");
    assert_string_equal(write(2.1e11, 0), "210000000000");
    assert_string_equal(write(1e23, 0), "1e23");
    assert_string_equal(write(-1.5e-300, 0), "-1.5e-300");
    assert_string_equal(write(5e-324, 0), "5e-324");
    assert_string_equal(write(1.0 / 3, 3), "0.333");
    assert_string_equal(write(9.996, 3), "10");
    assert_string_equal(write(99.96, 1), "1e2");
    assert_string_equal(write(0.1, 17), "0.10000000000000001");
    assert_string_equal(write((double)NAN, 0), "nan");
    assert_string_equal(write((double)INFINITY, 17), "inf");
    assert_string_equal(write(-(double)INFINITY, 0), "-inf");
}

static double any_double(uint64_t *random, int i)
{
    uint64_t bits = next_random(random);
    if (i % 3 == 0) /* of a common size */
        bits = (bits & UINT64_C(0x800fffffffffffff)) | (UINT64_C(1000) + next_random(random) % 48) << 52;
    if (i % 7 == 0) /* subnormal */
        bits &= UINT64_C(0x800fffffffffffff);
    if (i % 11 == 0) /* a power of two: the double below it is closer than the one above */
        bits &= UINT64_C(0xfff0000000000000);
    return double_of(bits);
}

static int significant_digits(const char *text)
{
    int count = 0, zeros = 0; /* zeros after the last nonzero digit */
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text == '0')
            zeros += count > 0;
        else if (*text >= '1' && *text <= '9') {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

static void shortest_reads_back_and_is_shortest(void **state)
{
    (void)state;
    uint64_t random = 99;
    for (int i = 0; i < 50000; i++) {
        double value = any_double(&random, i);
        if (!isfinite(value))
            continue;
        const char *text = write(value, 0);
        assert_same(read_all(text), value);
        assert_same(strtod(text, NULL), value);
        int fewest = 1; /* number of digits with which the C library's text reads back as the same number */
        for (char other[40]; fewest < 17; fewest++) {
            snprintf(other, sizeof other, "%.*e", fewest - 1, value);
            if (strtod(other, NULL) == value)
                break;
        }
        assert_true(significant_digits(text) <= fewest);
    }
}

static void writes_as_many_digits_as_asked(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int i = 0; i < 50000; i++) {
        double value = any_double(&random, i);
        int    digits = 1 + (int)(next_random(&random) % 17);
        if (!isfinite(value))
            continue;
        char        text[40], *c_exponent;
        const char *own = write(value, digits), *own_exponent = strchr(own, 'e');
        snprintf(text, sizeof text, "%.*g", digits, value);
        if ((c_exponent = strchr(text, 'e')) == NULL) {
            assert_string_equal(own, text);
            continue;
        }
        assert_non_null(own_exponent); /* the same except for printf's "+" and "e05" */
        assert_int_equal(own_exponent - own, c_exponent - text);
        assert_memory_equal(own, text, (size_t)(own_exponent - own));
        assert_int_equal(atoi(own_exponent + 1), atoi(c_exponent + 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_people_write),
        cmocka_unit_test(reads_no_further_than_the_number),
        cmocka_unit_test(reads_midpoints_exactly),
        cmocka_unit_test(reads_random_digits),
        cmocka_unit_test(writes_plainly),
        cmocka_unit_test(shortest_reads_back_and_is_shortest),
        cmocka_unit_test(writes_as_many_digits_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
