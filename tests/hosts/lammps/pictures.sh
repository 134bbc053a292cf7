#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: pictures.sh ROOT BUILD FOLDER
#
# The hopper and the mixer run, for a moment, and are drawn.
. "$(dirname "$0")/lammps.sh"
command -v gnuplot >/dev/null || { echo 'gnuplot was not found: install gnuplot-nox'; exit 77; }
"$root/examples/lammps/pictures" "$build/hosts/lammps/pcm-lammps" . 200 200 200 || complain 'pictures fails'
test -s hopper.png && test -s mixer.png || complain 'a picture is missing'
# The gate keeps the grains in the hopper until it opens, and the drum contains grains of every material.
awk 'NR > 9 && $5 < 0 { bad = 1 } END { exit bad || NR < 1000 }' hopper.first.dump || complain 'the hopper does not hold its grains'
awk 'NR > 9 { $3 ^ 2 + $5 ^ 2 < 0.06 ^ 2 ? seen[$1] = 1 : bad = 1 } END { for (k in seen) n++; exit bad || n != 20 }' mixer.last.dump ||
    complain 'the drum does not hold twenty materials'
exit $failed
