#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: lammps.sh PCM-LAMMPS PLUGINS [SIDE STEPS ['X Y Z' [packed|lattice [RATIO]]]]
#
# LAMMPS's granular styles and the laws of PCM that are like them, in turn, on the same bed of SIDE^3 spheres, repeated X, Y
# and Z times, packed at random, with diameters 1 to RATIO times the least one, or on a lattice where all neighbours touch: nanoseconds of processor time in the pair style
# per touching pair and step, by LAMMPS's own clock and its share of the processor, the least of five runs, and the middle
# one of the ratios of runs beside each other; the whole step, in ms; and MB per rank, as LAMMPS counts them and as the
# system counts the first rank's at their most. What it prints are the rows of docs/lammps.md.
set -eu
program=$(realpath "$1")
PCM_PLUGIN_PATH=$(echo "$2" | tr ':' '\n' | xargs -d '\n' realpath | paste -sd :)
export PCM_PLUGIN_PATH OMP_NUM_THREADS=1
side=${3:-32}
steps=${4:-100}
copies=${5:-1 1 1}
bed=${6:-packed}
ratio=${7:-1}
scripts=$(cd "$(dirname "$0")" && pwd)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf 'pair_style gran/hooke/history 1e4 2.857e3 100 50 0.5 1\npair_coeff * *\n' >hooke-native
printf 'pair_style gran/hertz/history 1e6 2.857e5 1e4 5e3 0.5 1\npair_coeff * *\n' >hertz-native
for law in hooke hertz; do
    printf 'pair_style pcm %s/lammps-%s.pcm\npair_coeff * * Grain\n' "$scripts" $law >$law-pcm
    printf 'pair_style pcm %s/lammps-%s.pcm kinematics lammps\npair_coeff * * Grain\n' "$scripts" $law >$law-as-lammps
done
case $bed in
    # Spheres of many sizes have the volume of equal ones of 10 mm, pack more densely, and start farther apart.
    packed)
        place=$(awk -v r="$ratio" 'BEGIN {
            least = r > 1 ? 0.01 * (4 * (r - 1) / (r ^ 4 - 1)) ^ (1 / 3) : 0.01
            printf "-v least %.9g -v most %.9g ", least, r * least
            if (r > 1) print "-v spacing 0.0165 -v strewn 0.001 -v pressed 0.0091 -v steps 6000"
            else print "-v spacing 0.0108 -v strewn 0.003 -v pressed 0.0093 -v steps 2000"
        }')
        ;;
    lattice) place='-v least 0.01 -v most 0.01 -v spacing 0.0099 -v strewn 0.0001 -v pressed 0.0099 -v steps 0' ;;
    *) echo "$0: no bed is called $bed: packed or lattice" >&2 && exit 2 ;;
esac
mpirun -np 2 "$program" -in "$scripts/lammps-bed.in" -log none -v side "$side" -v bed bed.data $place >bed.log || {
    cat bed.log
    exit 1
}

# Prints ns per contact, MB per rank by LAMMPS and by the system, ms per step.
measure() {
    mpirun -np "$1" "$program" -in "$scripts/lammps.in" -log none -v bed bed.data -v copies "$copies" -v n "$steps" -v style "$2" |
        awk -v steps="$steps" '/^Loop time/ { loop = $4 } /% CPU use/ { share = $1 / 100 } /^Pair  /{ pair = $5 * share } /^Per MPI rank/ { memory = $(NF - 1) } $1 == "VmHWM:" { most = $2 / 1024 } NF == 2 && $1 == 20 + steps { contacts = $2 / 2 }
            END { printf "%.1f %.0f %.0f %.3f\n", 1e9 * pair / steps / contacts * ranks, memory, most, 1e3 * loop * share / steps }' ranks="$1"
}
for ranks in 1 2; do
    for law in hooke hertz; do
        for run in 1 2 3 4 5; do
            for style in native pcm as-lammps; do echo "$law $style $(measure $ranks $law-$style)"; done
        done
    done | awk -v ranks=$ranks -v sizes="$ratio" -v spheres=$((side * side * side * ${copies%% *} * $(echo ${copies#* } | tr ' ' '*'))) '
        !(($1, $2) in least) || $3 < least[$1, $2] { least[$1, $2] = $3 }
        { memory[$2] = $4 "; " $5 " MB" }
        !(($1, $2) in whole) || $6 < whole[$1, $2] { whole[$1, $2] = $6 }
        $2 == "native" { beside[$1] = $3 }
        $2 != "native" { ratio[$1, $2, ++runs[$1, $2]] = beside[$1] / $3 }
        function middle(law, style, i, j, below, equal) {
            for (i = 1; i <= runs[law, style]; i++) {
                for (below = equal = j = 0; j++ < runs[law, style];) {
                    below += ratio[law, style, j] < ratio[law, style, i]
                    equal += ratio[law, style, j] == ratio[law, style, i]
                }
                if (below <= int(runs[law, style] / 2) && below + equal > int(runs[law, style] / 2))
                    return ratio[law, style, i]
            }
        }
        function step(law) { return sprintf("%.2f and %.2f ms", whole[law, "native"], whole[law, "pcm"]) }
        function cell(law, style) {
            return sprintf("%.1f and %.1f ns: %.2f times faster", least[law, "native"], least[law, style], middle(law, style))
        }
        END {
            name = spheres " spheres, " (sizes > 1 ? "1:" sizes ", " : "") (ranks == 1 ? "one rank" : "two ranks")
            printf "| %s | %s | %s |\n", name, cell("hooke", "pcm"), cell("hertz", "pcm")
            printf "| %s, `kinematics lammps` | %s | %s |\n", name, cell("hooke", "as-lammps"), cell("hertz", "as-lammps")
            printf "| %s, a step | %s | %s |\n", name, step("hooke"), step("hertz")
            printf "| %s, memory | %s | %s |\n", name, memory["native"], memory["pcm"]
        }'
done
