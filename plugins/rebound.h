/* SPDX-License-Identifier: MIT */
/* rebound.h - what is left of the speed v of an impact on a force F(d) (1 + s d'), whatever F and the mass. */
#include <pcm/plugin.h>

/* The root of x - ln(1 + x) = -e x - ln(1 - e x), x = s v; its series where the logarithms cancel. NaN for x < 0. */
static double rebound(double x)
{
    double e = 0;
    for (double half = 0.5; half > 1e-17; half *= 0.5)
        if ((e + half) * x < 1 && x * (1 + e + half) > pcm_log(1 + x) - pcm_log(1 - (e + half) * x))
            e += half;
    return x >= 1e-3 ? e : x >= 0 ? 1 - x * (2.0 / 3 - x * (4.0 / 9 - x * (44.0 / 135))) : NAN;
}
