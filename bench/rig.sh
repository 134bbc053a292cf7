#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: rig.sh PCM
#
# Rows per second of processor time through `pcm rig`, one history and row by row; the goal is 200,000.
set -eu
pcm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
rows=400000
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo 'ContactType Floor = CompliantGround; DefaultPair -> Floor;' >floor.pcm
awk -v rows=$rows 'BEGIN {
    srand(1)
    print "t,depth,depth_rate,slip_x,slip_y,stretch_x,stretch_y"
    for (i = 0; i < rows; i++)
        printf "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", i * 1e-4, rand() * 1e-3, rand() - 0.5, rand() - 0.5,
               rand() - 0.5, rand() * 1e-4, rand() * 1e-4
}' >motion.csv

failed=0
for how in '' --trial; do
    # The last line of `times` is the time of the programs run here: user, then system.
    (
        "$pcm" rig floor.pcm --motion motion.csv --out forces.csv $how || exit 1
        times
    ) >times.txt
    awk -v rows=$rows -v how="${how:-one history}" '
        { used = 0; for (i = 1; i <= NF; i++) { split($i, part, "m"); used += 60 * part[1] + part[2] } }
        END { printf "%s: %.0f rows per second\n", how, rows / used; exit rows / used < 200000 }' times.txt || failed=1
done
exit $failed
