#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: planar.sh PROGRAM FILE.pcm
#
# Coulomb's closed forms: from 1 m/s a sledge slides v/(mu g) = 0.203874 s and v^2/(2 mu g) = 0.101937 m, and on five
# points it stands (m g/5K)^(2/3) = 0.156723 mm deep, level. Tolerances: friction first has to drag the ground along by
# mu times the depth, and at the end lets it go, 0.1 mm or 0.1 ms of what a rigid ground would give each, with a few
# bounces of the load; at rest, the printed digits.
"$1" "$2" | awk '
    function near(value, expected, tolerance, what) {
        if (value - expected < tolerance && expected - value < tolerance) return
        print what ": " value " where " expected " is right"
        bad = 1
    }
    /^stands after/ { near($3, 0.203874, 2e-4, "time"); near($6, 0.101937, 2e-4, "way"); lines++ }
    /^rests/ { near($2, 0.156723, 1e-6, "depth"); near($7, 0, 1e-9, "tilt"); lines++ }
    END { if (lines != 2) print lines + 0, "lines where 2 are right"; exit bad || lines != 2 }'
