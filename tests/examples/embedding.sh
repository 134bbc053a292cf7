#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: embedding.sh PROGRAM FILE.pcm
#
# Every bounce is held to the law integrated here, by Runge and Kutta's method with a hundredth of the program's step;
# that integration, without gravity, to the restitution 0.94414227 of 1 m/s that was computed elsewhere to 1e-8.
# Tolerances: 2e-4 m/s for the program's first-order steps and its four printed digits, 1e-6 for the integration, whose
# method loses its order where the square root sets in.
"$1" "$2" | awk '
    function acceleration(depth, rate, gravity,   force) {
        force = depth > 0 ? sqrt(depth) * (1e6 * depth + 200 * rate) : 0
        return gravity - (force > 0 ? force : 0)
    }
    function rebound(rate, gravity,   depth, h, a1, a2, a3, a4, r2, r3, r4) {
        h = 1e-7
        depth = 0
        do {
            a1 = acceleration(depth, rate, gravity)
            r2 = rate + h / 2 * a1; a2 = acceleration(depth + h / 2 * rate, r2, gravity)
            r3 = rate + h / 2 * a2; a3 = acceleration(depth + h / 2 * r2, r3, gravity)
            r4 = rate + h * a3;     a4 = acceleration(depth + h * r3, r4, gravity)
            depth += h / 6 * (rate + 2 * r2 + 2 * r3 + r4)
            rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        } while (depth > 0)
        return -rate
    }
    function near(value, expected, tolerance, what) {
        if (value - expected < tolerance && expected - value < tolerance) return
        print what ": " value " where " expected " is right"
        bad = 1
    }
    BEGIN { near(rebound(1, 0), 0.94414227, 1e-6, "the integration") }
    NR == 1 { next }
    {
        near($3, rebound($2, 9.81), 2e-4, "rebound " NR - 1)
        if (NR > 2) near($2, before, 2e-4, "impact " NR - 1) # free flight: it arrives as fast as it left
        before = $3
    }
    END { if (NR != 6) print NR - 1, "bounces where 5 are right"; exit bad || NR != 6 }'
