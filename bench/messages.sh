#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: messages.sh BUILD [SIDE [RANKS ...]]
#
# What a rank of LAMMPS sends, with its own gran/hertz/history and with the same law of PCM: the same packed bed of SIDE^3
# spheres on each of RANKS ranks, counted between LAMMPS and MPI by tests/hosts/lammps/messages.c. Prints a row for each
# number of ranks, with means over forty steps: a step at rest, and what a rebuild of the list of neighbours adds to it,
# for which the bed has moved by half the skin, so that atoms change ranks with their contacts. Two numbers are the least
# and the most of a rank.
set -eu
build=$(realpath "$1")
side=${2:-16}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 2 4 8 16 27
few=10
many=50 # steps of two runs, whose difference leaves out what a run begins and ends with
scripts=$(cd "$(dirname "$0")" && pwd)
export PCM_PLUGIN_PATH="$build/plugins" OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0
export OMPI_MCA_btl_vader_single_copy_mechanism=none
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
program=$build/hosts/lammps/pcm-lammps
# At rest, with LAMMPS's defaults; and 0.5 mm in ten steps of 2 us along the cube's diagonal, without a rebuild and with.
: >rest
for every in 1000000 10; do
    printf 'velocity all set 14.4 14.4 14.4\nneigh_modify delay 0 every %s check no\n' $every >every$every
done
for moves in rest every1000000 every10; do
    { printf 'pair_style gran/hertz/history 1e6 2.857e5 1e4 5e3 0.5 1\npair_coeff * *\n'; cat $moves; } >native-$moves
    { printf 'pair_style pcm %s/lammps-hertz.pcm\npair_coeff * * Grain\n' "$scripts"; cat $moves; } >pcm-$moves
done
mpirun -np 1 "$program" -in "$scripts/lammps-bed.in" -log none -v side "$side" -v bed bed.data -v least 0.01 -v most 0.01 -v spacing 0.0108 \
    -v strewn 0.003 -v pressed 0.0093 -v steps 2000 >bed.log || { cat bed.log; exit 1; }

# The copies of the bed along x, y and z: one for each rank.
copies() {
    awk -v n="$1" 'BEGIN {
        for (x = 1; x <= n; x++) for (y = 1; y <= x; y++) { z = n / x / y; if (z == int(z) && z <= y && (!best || x + y + z < best)) { best = x + y + z; it = x " " y " " z } }
        print it }'
}

# counted RANKS STYLE STEPS: what messages.c counts in a run.
counted() {
    mpirun -np "$1" -x LD_PRELOAD="$build/tests/hosts/lammps/messages.so" "$program" -in "$scripts/lammps.in" -log none \
        -v bed bed.data -v copies "$(copies "$1")" -v n "$3" -v style "$2" >run.log 2>&1 &&
        grep '^MESSAGES' run.log || { cat run.log >&2; exit 1; }
}

echo '| ranks | style | messages | bytes | collectives | messages of a rebuild | bytes | collectives |'
echo '|---|---|---|---|---|---|---|---|'
for ranks in "$@"; do
    for style in native pcm; do
        for moves in rest every1000000 every10; do
            for steps in $few $many; do counted "$ranks" $style-$moves $steps; done
        done | awk -v ranks="$ranks" -v style=$style -v steps=$((many - few)) '
            { for (k = 2; k <= 7; k++) now[NR, k] = $k }
            function more(run, k) { return now[run + 1, k] - now[run, k] }
            function of_rebuilds(k) { return more(5, k) - more(3, k) }
            function show(a, b) { printf(a == b ? " | %.6g" : " | %.6g to %.6g", a, b) }
            END {
                printf "| %d | %s", ranks, style
                for (k = 2; k <= 6; k += 2) show(more(1, k) / steps, more(1, k + 1) / steps)
                for (k = 2; k <= 6; k += 2) show(of_rebuilds(k) / steps * 10, of_rebuilds(k + 1) / steps * 10)
                print " |"
            }'
    done
done
