/* SPDX-License-Identifier: MIT */
/* rebound.h - the share of its speed v that an impact on a force F(d) (1 + s d') keeps, for any F and mass. */
#include <pcm/plugin.h>

/* (x - ln(1 + x) + e x + ln(1 - e x))/x^2 with x = s v: 0 at the share e that is kept, positive for smaller e. Where
 * the logarithms cancel, their series: the sum of ((-1)^k - e^k) x^(k - 2)/k from k = 2 on. There 1 - e^k is computed
 * as a product, which does not cancel. */
static double beyond_rebound(double x, double e)
{
    if (x >= 0.3)
        return e * x < 1 ? (x * (1 + e) - pcm_log(1 + x) + pcm_log(1 - e * x)) / (x * x) : -1;
    double sum = 0, power = 1, even = 1, odd = e * e * e; /* even: (1 - e^k)/(1 - e^2); odd: e^(k + 1) */
    for (int k = 2; k < 40; k += 2) {
        sum += power * ((1 - e) * (1 + e) * even / k - x * (1 + odd) / (k + 1));
        power *= x * x;
        even = 1 + e * e * even;
        odd *= e * e;
    }
    return sum;
}

/* The share e that an impact keeps; NaN for x < 0. */
static double rebound(double x)
{
    double e = 0;
    for (double half = 0.5; half > 1e-17; half *= 0.5)
        if (beyond_rebound(x, e + half) > 0)
            e += half;
    return x > 0 ? e : x == 0 ? 1 : NAN;
}
