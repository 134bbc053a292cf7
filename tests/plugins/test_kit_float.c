/* SPDX-License-Identifier: MIT */
/* The kit's arithmetic in single precision, compared with the C library's in double precision. */
#include "kit_float.h"
#include "law.h"

#include <float.h>
#include <math.h>

enum { TRIES = 200000 };

/* The error in units in the last place of a float of the expected value's size; NaN and infinity must agree. */
static double ulps(float got, double want)
{
    const float rounded = (float)want;
    int         exponent;
    if (isnan(got) || isnan(rounded) || isinf(got) || isinf(rounded))
        return (isnan(got) && isnan(rounded)) || got == rounded ? 0 : INFINITY;
    frexp(want, &exponent);
    return fabs((double)got - want) / ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

static double tanh_over(double x) { return x == 0 ? 1 : tanh(x) / x; }
static double ramp(double x) { return x > 0 ? x : 0; }

/* Half the numbers are spread evenly from -width to width, the others over all orders of magnitude below it. */
static float number(uint64_t *seed, double width, int i)
{
    const double even = width * noise(seed);
    return (float)(i % 2 ? even : ldexp(even, -(i / 2 % 140)));
}

typedef struct function {
    const char *name;
    float (*ours)(float);
    double (*theirs)(double);
    double least, most, ulps; /* the range, and the largest error in it */
} function;

static void functions_of_one_number(void **state)
{
    static const function all[] = {
        {"exp", kit_float_exp, exp, -110, 95, 1},
        {"exp_falling", kit_float_exp_falling, exp, -60, 1, 1},
        {"log", kit_float_log, log, 0, FLT_MAX, 1},
        {"log1p", kit_float_log1p, log1p, -0.999, FLT_MAX, 2},
        {"asinh", kit_float_asinh, asinh, -FLT_MAX, FLT_MAX, 3},
        {"tanh", kit_float_tanh, tanh, -25, 25, 3},
        {"tanh_ratio", kit_float_tanh_ratio, tanh_over, 0, 1e4, 4},
        {"cbrt", kit_float_cbrt, cbrt, -FLT_MAX, FLT_MAX, 1},
        {"sin", kit_float_sin, sin, -1e4, 1e4, 1},
        {"cos", kit_float_cos, cos, -1e4, 1e4, 1},
        {"erf", kit_float_erf, erf, -8, 8, 2},
        {"sqrt", kit_float_sqrt, sqrt, 0, FLT_MAX, 0.5},
        {"abs", kit_float_abs, fabs, -FLT_MAX, FLT_MAX, 0},
        {"ramp", kit_float_ramp, ramp, -FLT_MAX, FLT_MAX, 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const function *f = &all[k];
        uint64_t        seed = 1 + k;
        double          most = 0;
        for (int i = 0; i < TRIES; i++) {
            const float x = number(&seed, fmax(-f->least, f->most), i);
            if (x < f->least || x > f->most)
                continue;
            most = fmax(most, ulps(f->ours(x), f->theirs(x)));
        }
        if (!(most <= f->ulps))
            fail_msg("%s: %g ulp", f->name, most);
        assert_true(isnan(f->ours(NAN)));
    }
}

/* As in double precision, where the error of pow grows with the size of its logarithm. */
static void powers(void **state)
{
    uint64_t seed = 20;
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        const float x = fabsf(number(&seed, 1e30, i)), y = number(&seed, 3, i / 2);
        assert_true(ulps(kit_float_pow(x, y), pow(x, y)) <= 2 + fabs(y * log(x)) / 12);
    }
    assert_true(kit_float_pow(0, 2) == 0 && kit_float_pow(0, -1) == INFINITY && kit_float_pow(1, 1e30F) == 1);
    assert_true(isnan(kit_float_pow(-1, 2)) && isnan(kit_float_pow(NAN, 2)) && isnan(kit_float_pow(2, NAN)));
}

static void functions_of_two_numbers(void **state)
{
    uint64_t seed = 30;
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        const float x = number(&seed, 2e38, i), y = number(&seed, 2e38, i / 3);
        if (fabs(atan2(y, x)) > FLT_MIN) /* smaller angles lose bits when huge vectors are scaled */
            assert_true(ulps(kit_float_atan2(y, x), atan2(y, x)) <= 3);
        assert_true(ulps(kit_float_length(x, y), sqrt((double)x * x + (double)y * y)) <= 1.5);
        assert_true(kit_float_max(x, y) == fmaxf(x, y) && kit_float_min(x, y) == fminf(x, y));
        assert_true(kit_float_sign(x, y) == copysignf(x, y));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_one_number),
        cmocka_unit_test(powers),
        cmocka_unit_test(functions_of_two_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
