#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: spheres.sh PROGRAM FOLDER PCM SPHERES STEPS
#
# The spheres of examples/opencl move with the same bits in OpenCL, by the exported header, and in C, by the plugin.
# Skipped where there is no device for OpenCL.
set -eu
program=$(realpath "$1") folder=$2 pcm=$(realpath "$3") spheres=$4 steps=$5
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$out"
"$pcm" export "$folder/grains.pcm" Grain -o law.h
if ! "$program" "$folder/grains.pcm" law.h "$folder/grains.h" "$folder/grains.cl" "$spheres" "$steps" >printed 2>errors; then
    cat printed errors
    grep -q 'no OpenCL device' errors && exit 77
    exit 1
fi
cat printed
grep -q "^0 of $((spheres + 5)) grains differ in some bit$" printed
[ "$(wc -l <spheres.csv)" -eq "$spheres" ]
# They have met: without contacts no two would be near the floor.
awk -F, '$3 < 0.0055 { low++ } END { exit !(low > 10) }' spheres.csv
