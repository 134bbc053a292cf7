#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: ring.sh PROGRAM EXAMPLES
#
# At rest the ring lies level where its points fit round the six sides: a point at the angle phi from a side's middle
# stands on the pyramid's surface where a cos(phi)^-1 (1 - z/h) = r, with the apothem a; it hangs lower by its depth,
# and the vertical parts of the normal forces carry its weight.
set -e
"$1" "$2/ring.pcm" ring.csv ring-points.csv
awk -F , '
    function near(value, expected, tolerance, what) {
        if (value - expected < tolerance && expected - value < tolerance) return
        print what ": " value " where " expected " is right"
        bad = 1
    }
    BEGIN { a = 0.2 * cos(3.14159265358979 / 6); h = 0.5; r = 0.1; pi = 3.14159265358979; least = 1 }
    NR > 1 {
        phi = atan2($3, $2)
        while (phi < 0) phi += pi / 3
        while (phi > pi / 3) phi -= pi / 3
        c = cos(phi - pi / 6)
        if (c < least) least = c
        n += $5; force += $8; z = $4
        if ($5 != ($7 < 0)) { print "point " $1 ": contact and separation disagree"; bad = 1 }
    }
    END {
        slope = a / sqrt(a * a + h * h)
        near(force * slope, 0.3 * 9.81, 1e-3, "weight")
        near(z, h * (1 - r * least / a), 1e-3, "height")
        if (n < 6) { print n " points touch"; bad = 1 }
        exit bad || NR != 73
    }' ring-points.csv
command -v gnuplot >/dev/null || exit 0
gnuplot -e "csv='ring.csv'; points='ring-points.csv'; png='ring.png'" "$2/ring.gp"
test -s ring.png
