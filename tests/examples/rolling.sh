#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: rolling.sh PROGRAM EXAMPLES
#
# The coin starts on the steady motion of a rigid disk and must stay on it: height of the centre, its circle, the weight
# carried, friction m v^2 / r, no slip, and after one round back where it was. Tolerances: 1 % for what the compliance of
# the ground and the start without its weight on it change, measured as 0.3 %.
set -e
"$1" "$2/rolling.pcm" rolling.csv
awk -F , '
    function near(value, expected, tolerance, what) {
        if (value - expected < tolerance && expected - value < tolerance) return
        print what " at t = " $1 ": " value " where " expected " is right"
        bad = 1
    }
    BEGIN { r = 0.1; c = 0.3; lean = 1.25; g = 9.81
            rate = sqrt(g * cos(lean) / (sin(lean) * (1.5 * c + 0.25 * r * cos(lean)))) }
    NR > 2 {
        near($4, r * sin(lean), 1e-3 * r, "height")
        near(sqrt($2 * $2 + $3 * $3), c, 0.01 * c, "circle")
        if ($1 > 0.2) {
            near($18, 0.5 * g, 0.005 * g, "normal force")
            near($19, 0.5 * rate * rate * c, 0.005 * rate * rate * c, "friction")
            near($20, 0, 1e-3 * rate * c, "slip")
        }
    }
    END { near($2, -c, 0.01 * c, "x after a round"); near($3, 0, 0.02 * c, "y after a round")
          exit bad || NR < 400 }' rolling.csv
command -v gnuplot >/dev/null || exit 0
gnuplot -e "csv='rolling.csv'; png='rolling.png'" "$2/rolling.gp"
test -s rolling.png
