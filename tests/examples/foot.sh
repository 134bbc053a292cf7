#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: foot.sh PROGRAM EXAMPLES
#
# Closed forms: from 0.1 m a body falls for sqrt(2 h/g) = 0.142784 s, and on 2e4 N/m a weight of 14.715 N stands
# m g/K = 0.7358 mm deep. Tolerances: half a step of the program's first-order integration, and what is left of the
# bounce. Once the foot is taken away no pair is near.
program=$1
examples=$2
"$program" "$examples/foot.pcm" "$examples/foot.obj" foot.csv | awk '
    function near(value, expected, tolerance, what) {
        if (value - expected < tolerance && expected - value < tolerance) return
        print what ": " value " where " expected " is right"
        bad = 1
    }
    { print }
    /^landed after/ { near($3, 0.142784, 1e-4, "time"); near($6, 0.73575, 1e-3, "depth"); near($10, 14.715, 2e-3, "force"); lines++ }
    /^near pairs: 1, and 0 once/ { lines++ }
    END { if (lines != 2) print lines + 0, "lines where 2 are right"; exit bad || lines != 2 }' || exit 1
[ "$(wc -l <foot.csv)" -ge 80 ]
