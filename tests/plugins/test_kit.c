/* SPDX-License-Identifier: MIT */
/* The kit's arithmetic, compared with the C library's with 64-bit mantissas. */
#include "law.h"

#include <math.h>

/* The error in units in the last place of a double of the expected value's size; NaN and infinity must agree. */
static double ulps(double got, long double want)
{
    const double rounded = (double)want;
    int          exponent;
    if (isnan(got) || isnan(rounded) || isinf(got) || isinf(rounded))
        return (isnan(got) && isnan(rounded)) || got == rounded ? 0 : INFINITY;
    frexpl(want, &exponent);
    return (double)(fabsl(got - want) / ldexpl(1, (exponent < -1021 ? -1021 : exponent) - 53));
}

static double worst(double now, double got, long double want)
{
    const double distance = ulps(got, want);
    return distance > now ? distance : now;
}

enum { TRIES = 200000 };

static void exp_is_within_1_ulp(void **state)
{
    (void)state;
    double   most = 0;
    uint64_t seed = 1;
    for (int i = 0; i < TRIES; i++) {
        const double wide = 730 * noise(&seed) - 15, small = ldexp(noise(&seed), -i % 60);
        most = worst(most, pcm_exp(wide), expl(wide));
        most = worst(most, pcm_exp(small), expl(small));
        if (wide <= 1 && wide > -600)
            most = worst(most, pcm_exp_falling(wide), expl(wide));
        most = worst(most, pcm_exp_falling(small), expl(small));
    }
    assert_true(most <= 1);
}

static void tanh_is_within_3_ulp(void **state)
{
    (void)state;
    double   most = 0;
    uint64_t seed = 2;
    for (int i = 0; i < TRIES; i++) {
        const double wide = 21 * noise(&seed), small = ldexp(noise(&seed), -i % 1074);
        most = worst(most, pcm_tanh(wide), tanhl(wide));
        most = worst(most, pcm_tanh(small), tanhl(small));
    }
    assert_true(most <= 3);
}

static void tanh_ratio_is_within_4_ulp(void **state)
{
    (void)state;
    double   most = 0;
    uint64_t seed = 8;
    for (int i = 0; i < TRIES; i++) {
        const double far = fabs(21 * noise(&seed)) + 1e3 * (i % 5), near_rest = fabs(ldexp(noise(&seed), -i % 1000));
        most = worst(most, pcm_tanh_ratio(far), tanhl(far) / far);
        most = worst(most, pcm_tanh_ratio(near_rest), tanhl(near_rest) / near_rest);
    }
    assert_true(most <= 4);
}

static void log_is_within_1_ulp(void **state)
{
    (void)state;
    double   most = 0;
    uint64_t seed = 3;
    for (int i = 0; i < TRIES; i++) {
        const double any = ldexp(1.5 + 0.5 * noise(&seed), i % 2098 - 1075), one = 1 + ldexp(noise(&seed), -1 - i % 50);
        most = worst(most, pcm_log(any), logl(any));
        most = worst(most, pcm_log(one), logl(one));
    }
    assert_true(most <= 1);
}

static void pow_is_as_near_as_its_logarithm(void **state)
{
    (void)state;
    double   most = 0; /* error over the bound 2 + |y ln x| / 12 */
    uint64_t seed = 4;
    for (int i = 0; i < TRIES; i++) {
        /* The logarithm's error is largest near sqrt(2) and its half, where every fourth x is. */
        const double near_root = (i % 8 ? 1 : 0.5) * (sqrt(2) + 0.02 * noise(&seed));
        const double anywhere = ldexp(1.5 + 0.5 * noise(&seed), i % 3 ? i % 21 - 10 : i % 2098 - 1075);
        const double x = i % 4 ? anywhere : near_root;
        const double y = i % 4 ? ldexp(noise(&seed), i % 10) : 740 * noise(&seed) / log(x);
        const double bound = 2 + fabs(y * log(x)) / 12;
        if (bound < 2 + 745.0 / 12)
            most = fmax(most, ulps(pcm_pow(x, y), powl(x, y)) / bound);
    }
    assert_true(most <= 1);
}

static void cbrt_is_within_1_ulp(void **state)
{
    (void)state;
    double   most = 0;
    uint64_t seed = 5;
    for (int i = 0; i < TRIES; i++) {
        const double any = ldexp(noise(&seed), i % 2098 - 1074), near_one = 4 * noise(&seed);
        most = worst(most, pcm_cbrt(any), cbrtl(any));
        most = worst(most, pcm_cbrt(near_one), cbrtl(near_one));
    }
    assert_true(most <= 1);
    assert_true(pcm_cbrt(0) == 0 && signbit(pcm_cbrt(-0.0)) && pcm_cbrt(-27) == -3 && isnan(pcm_cbrt(NAN)));
    assert_true(pcm_cbrt(INFINITY) == INFINITY && pcm_cbrt(-INFINITY) == -INFINITY);
}

/* Includes angles near multiples of a quarter turn, where all digits of the angle cancel. */
static void sin_and_cos_are_within_1_ulp(void **state)
{
    (void)state;
    double   most = 0;
    uint64_t seed = 6;
    for (int i = 0; i < TRIES; i++) {
        const double any = ldexp(noise(&seed), i % 59 - 33), quarters = floor(6e7 * noise(&seed)) * acos(0);
        most = worst(worst(most, pcm_sin(any), sinl(any)), pcm_cos(any), cosl(any));
        most = worst(worst(most, pcm_sin(quarters), sinl(quarters)), pcm_cos(quarters), cosl(quarters));
    }
    assert_true(most <= 1);
    assert_true(signbit(pcm_sin(-0.0)) && pcm_sin(5e-324) == 5e-324 && pcm_cos(0) == 1);
    assert_true(isnan(pcm_sin(1.1e8)) && isnan(pcm_cos(-1.1e8)) && isnan(pcm_sin(INFINITY)) && isnan(pcm_cos(NAN)));
}

static void atan2_is_within_2_ulp(void **state)
{
    (void)state;
    const double ends[] = {0, -0.0, 1, -1, 5e-324, -5e-324, 1e308, -1e308, INFINITY, -INFINITY, NAN};
    double       most = 0;
    uint64_t     seed = 7;
    for (int i = 0; i < TRIES; i++) {
        const double y = noise(&seed), x = ldexp(noise(&seed), i % 20 - 10), far = ldexp(noise(&seed), i % 2098 - 1074);
        most = worst(most, pcm_atan2(y, x), atan2l(y, x));
        most = worst(most, pcm_atan2(y, far), atan2l(y, far));
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (size_t j = 0; j < sizeof ends / sizeof *ends; j++) {
            const double got = pcm_atan2(ends[i], ends[j]);
            most = worst(most, got, atan2l(ends[i], ends[j]));
            assert_true(isnan(got) || signbit(got) == signbit(ends[i]));
        }
    assert_true(most <= 2);
}

static void erf_is_within_2_ulp(void **state)
{
    (void)state;
    double   most = 0;
    uint64_t seed = 9;
    for (int i = 0; i < TRIES; i++) {
        const double wide = 7 * noise(&seed), small = ldexp(noise(&seed), -i % 1074);
        most = worst(worst(most, pcm_erf(wide), erfl(wide)), pcm_erf(small), erfl(small));
    }
    assert_true(most <= 2);
    assert_true(pcm_erf(INFINITY) == 1 && pcm_erf(-7) == -1 && signbit(pcm_erf(-0.0)) && isnan(pcm_erf(NAN)));
}

static void log1p_is_within_2_and_asinh_within_3_ulp(void **state)
{
    (void)state;
    double   most_log = 0, most_asinh = 0;
    uint64_t seed = 10;
    for (int i = 0; i < TRIES; i++) {
        const double any = ldexp(noise(&seed), i % 2098 - 1074), near = 4 * noise(&seed), small = ldexp(near, -i % 70);
        most_log = worst(worst(most_log, pcm_log1p(fabs(any)), log1pl(fabs(any))), pcm_log1p(small), log1pl(small));
        most_log = near > -1 ? worst(most_log, pcm_log1p(near), log1pl(near)) : most_log;
        most_asinh = worst(worst(most_asinh, pcm_asinh(any), asinhl(any)), pcm_asinh(near), asinhl(near));
        most_asinh = worst(most_asinh, pcm_asinh(small), asinhl(small));
    }
    assert_true(most_log <= 2);
    assert_true(most_asinh <= 3);
    assert_true(pcm_log1p(-1) == -INFINITY && isnan(pcm_log1p(-1.1)) && pcm_log1p(INFINITY) == INFINITY);
    assert_true(signbit(pcm_log1p(-0.0)) && signbit(pcm_asinh(-0.0)) && pcm_asinh(-INFINITY) == -INFINITY);
    assert_true(isnan(pcm_log1p(NAN)) && isnan(pcm_asinh(NAN)));
}

/* Complete elliptic integrals K and E by the arithmetic-geometric mean; b is the square of the ratio of the axes. */
static void elliptic(long double b, long double *k, long double *e)
{
    long double x = 1, y = sqrtl(b), sum = (1 - b) / 2, weight = 1;
    for (int i = 0; i < 40 && x - y > 1e-19L; i++, weight *= 2) {
        const long double half = (x - y) / 2, mean = (x + y) / 2;
        sum += weight * half * half;
        y = sqrtl(x * y);
        x = mean;
    }
    *k = acosl(-1) / (2 * x);
    *e = *k * (1 - sum);
}

/* The radius of pcm_hertz_radius at a ratio of axes, and the ratio of curvatures there (Johnson 1985, eq. 4.26). */
static long double hertz_at(long double b, long double *curvatures)
{
    long double k, e;
    elliptic(b, &k, &e);
    *curvatures = b * (k - e) / (e - b * k);
    return acosl(-1) * acosl(-1) / (2 * k * k * (*curvatures + b));
}

static void hertz_radius_has_nine_digits_of_the_integrals(void **state)
{
    (void)state;
    for (long double ratio = 0.98L; ratio > 1e-6L; ratio *= 0.97L) {
        long double       curvatures;
        const long double radius = hertz_at(ratio * ratio, &curvatures);
        assert_true(curvatures < 1e-12L || fabsl(pcm_hertz_radius((double)curvatures, 1) / radius - 1) < 1e-9L);
    }
    assert_true(pcm_hertz_radius(250, 250) == 0.004 &&
                fabs(pcm_hertz_radius(250 * (1 - 1e-9), 250) / 0.004 - 1) < 1e-9);
    assert_true(pcm_hertz_radius(0, 1) == pcm_hertz_radius(1e-12, 1) && isnan(pcm_hertz_radius(1, NAN)));
}

static void line_depth_and_force_belong_together(void **state)
{
    (void)state;
    double most = 0;
    for (double w = 2; w < 600; w *= 1.003)
        most = fmax(most, fabs(pcm_hertz_line(w * exp(-1 - w)) / w - 1));
    assert_true(most < 1e-14); /* the exponential's own error, which w multiplies */
    assert_true(pcm_hertz_line(0) > 600 && isfinite(pcm_hertz_line(0)));
}

/* An ellipse's stiffness over that of the circle of its area (Johnson 1985, section 3.3): pi/(2 K) sqrt of its axes'
 * ratio. */
static void punch_radius_is_that_of_an_ellipse(void **state)
{
    (void)state;
    assert_true(fabs(pcm_punch_radius(acos(-1), 1) - 1) < 1e-15);
    for (long double aspect = 1; aspect < 1e4L; aspect *= 1.1L) {
        long double k, e;
        elliptic(1 / (aspect * aspect), &k, &e);
        assert_true(fabsl(pcm_punch_radius(1, (double)aspect) / (sqrtl(acosl(-1) * aspect) / (2 * k)) - 1) < 1e-11L);
    }
}

static void ends_and_nan(void **state)
{
    (void)state;
    const double ends[] = {0, 1, 0.5, 2, 5e-324, 1e308, INFINITY};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        for (size_t j = 0; j < sizeof ends / sizeof *ends; j++) {
            assert_true(ulps(pcm_pow(ends[i], ends[j]), powl(ends[i], ends[j])) <= 2);
            assert_true(ulps(pcm_pow(ends[i], -ends[j]), powl(ends[i], -ends[j])) <= 2);
        }
        assert_true(isnan(pcm_pow(NAN, ends[i])) && isnan(pcm_pow(ends[i], NAN)));
        assert_true(pcm_tanh(-ends[i]) == -pcm_tanh(ends[i]));
    }
    assert_true(isnan(pcm_pow(-1, 2)));
    assert_true(pcm_exp(0) == 1 && pcm_exp(-INFINITY) == 0 && isinf(pcm_exp(INFINITY)) && isnan(pcm_exp(NAN)));
    assert_true(pcm_exp_falling(-INFINITY) == pcm_exp(-600) && isnan(pcm_exp_falling(NAN)));
    assert_true(pcm_exp(-745.2) == 0 && isinf(pcm_exp(709.8)));
    assert_true(pcm_tanh(INFINITY) == 1 && pcm_tanh(19.1) == 1 && isnan(pcm_tanh(NAN)) && isnan(pcm_tanh_ratio(NAN)) &&
                signbit(pcm_tanh(-0.0)));
    assert_true(pcm_tanh_ratio(0) == 1 && pcm_tanh_ratio(5e-324) == 1);
    assert_true(ulps(pcm_tanh_ratio(1e200), 1e-200L) <= 4);
    assert_true(isinf(pcm_log(0)) && pcm_log(1) == 0 && isinf(pcm_log(INFINITY)));
    assert_true(isnan(pcm_log(-1)) && isnan(pcm_log(NAN)));
    assert_true(isnan(pcm_ramp(NAN)) && pcm_ramp(-1) == 0 && pcm_ramp(2) == 2 && !signbit(pcm_ramp(-0.0)));
}

static void choices_keep_every_bit(void **state)
{
    (void)state;
    const double values[] = {0.0, -0.0, 1, -INFINITY, 5e-324, NAN, -NAN};
    enum { VALUES = sizeof values / sizeof *values };
    for (size_t i = 0; i < VALUES; i++)
        for (size_t j = 0; j < VALUES; j++) {
            const double a = pcm_choose(2, values[i], values[j]), b = pcm_choose(0, values[i], values[j]);
            assert_memory_equal(&a, &values[i], sizeof a);
            assert_memory_equal(&b, &values[j], sizeof b);
        }
}

static void length_has_no_dead_range(void **state)
{
    (void)state;
    for (int e = -1074; e < 1023; e++) {
        const double x = ldexp(1, e);
        assert_true(pcm_length(x, 0) == x && pcm_length(0, -x) == x);
        if (e > -1000)
            assert_true(pcm_length(0.75 * x, x) == 1.25 * x);
    }
    assert_true(isnan(pcm_length(NAN, 1)) && isnan(pcm_length(1, NAN)) && isinf(pcm_length(INFINITY, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_within_1_ulp),
        cmocka_unit_test(tanh_is_within_3_ulp),
        cmocka_unit_test(tanh_ratio_is_within_4_ulp),
        cmocka_unit_test(log_is_within_1_ulp),
        cmocka_unit_test(pow_is_as_near_as_its_logarithm),
        cmocka_unit_test(cbrt_is_within_1_ulp),
        cmocka_unit_test(sin_and_cos_are_within_1_ulp),
        cmocka_unit_test(atan2_is_within_2_ulp),
        cmocka_unit_test(erf_is_within_2_ulp),
        cmocka_unit_test(log1p_is_within_2_and_asinh_within_3_ulp),
        cmocka_unit_test(hertz_radius_has_nine_digits_of_the_integrals),
        cmocka_unit_test(line_depth_and_force_belong_together),
        cmocka_unit_test(punch_radius_is_that_of_an_ellipse),
        cmocka_unit_test(ends_and_nan),
        cmocka_unit_test(choices_keep_every_bit),
        cmocka_unit_test(length_has_no_dead_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
