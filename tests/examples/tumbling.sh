#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: tumbling.sh PROGRAM EXAMPLES
#
# The box goes down the slope and loses energy at every contact: between rows energy rises by no more than what its
# springs give back (the force of a row times its depth, half, and what lies between rows), never over the whole way;
# no point sinks deeper than the fall can press it: sqrt(m v^2 / k) with v^2 = v0^2 + 2 g h.
set -e
"$1" "$2/tumbling.pcm" tumbling.csv
awk -F , '
    NR == 2 { first = $14; highest = $14; x = $2 }
    NR > 1 {
        if ($15 == 0 && held == 0 && $14 > free + 1e-3 && NR > 3) { print "energy from nowhere at t = " $1; bad = 1 }
        free = $14; held = $15
        if ($14 > highest + 1e-6) { print "more energy than at the start at t = " $1; bad = 1 }
        if ($15 > 0) contacts++
        if ($16 > sqrt(5 * (1.5 * 1.5 + 2 * 9.81 * 1.6) / 4e4)) { print "sunk by " $16 " at t = " $1; bad = 1 }
        last = $14; way = $2 - x
    }
    END {
        if (last > first - 20) { print "lost only " first - last " J"; bad = 1 }
        if (way < 2) { print "came only " way " m"; bad = 1 }
        exit bad || contacts < 20 || NR < 200
    }' tumbling.csv
command -v gnuplot >/dev/null || exit 0
gnuplot -e "csv='tumbling.csv'; png='tumbling.png'" "$2/tumbling.gp"
test -s tumbling.png
