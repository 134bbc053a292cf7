#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: split.sh ROOT BUILD FOLDER
#
# A run that is cut in two in mid-contact differs from one run by what LAMMPS's own style differs, and by nothing more: its
# setup sees velocities of whole steps, a step those of half steps. Setups without a step change nothing.
. "$(dirname "$0")/lammps.sh"
clusters
echo 'pair_style gran/hertz/history 1e8 2.857e7 6e4 3e4 0.5 1
pair_coeff * *' >native
echo 'pair_style pcm hertz.pcm kinematics lammps
pair_coeff * * Left Right' >pcm
# cut NAME LINES: the script with LINES instead of its run command.
cut_to() { awk -v lines="$2" '/^run .*\{n\}/ { print lines; next } { print }' clusters.in >"$1.in"; }
cut_to whole 'run 2600'
cut_to halves 'run 1800
run 800'
cut_to set_up 'run 1800
run 0
run 0
run 0 post no
run 800'
for ranks in 1 2; do
    for style in native pcm; do
        for parts in whole halves; do
            runs $ranks $parts.in -v style $style -v out $style-$parts
        done
        largest $style-whole $style-halves >$style-apart
    done
    echo "$ranks ranks: one run and two differ by $(cat native-apart) with LAMMPS's style, $(cat pcm-apart) with PCM"
    paste native-apart pcm-apart | awk '{ exit !($1 > 1e-9 && $2 < 1.001 * $1) }' || complain 'a run in two parts is another run'
    runs $ranks set_up.in -v style pcm -v out pcm-set_up
    agree pcm-halves pcm-set_up 1e-13
done
exit $failed
