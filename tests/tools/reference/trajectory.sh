#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: trajectory.sh TABLE TOLERANCE BUILD
#
# Leads a contact type along the motion of a table of tests/reference/lammps, step by step with its memory, and holds its
# forces and moments to those of the table. The second line of the table is the contact type. Differences are relative to
# the greatest force, and moment, of the table.
set -eu
export LC_ALL=C
table=$1
tolerance=$2
build=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'ContactType Held = %s;\nDefaultPair -> Held;\n' "$(sed -n '2s/^# //p' "$table")" >"$folder/held.pcm"
grep -v '^#' "$table" >"$folder/rows.csv"
cut -d, -f1-10 "$folder/rows.csv" >"$folder/motion.csv"
PCM_PLUGIN_PATH="$build/plugins" "$build/tools/pcm" rig "$folder/held.pcm" --motion "$folder/motion.csv" --out "$folder/forces.csv"
paste -d, "$folder/rows.csv" "$folder/forces.csv" | awk -F, -v tolerance="$tolerance" '
    function magnitude(x) { return x < 0 ? -x : x }
    BEGIN { split("n x y mx my mn", kind, " "); split("force_n force_x force_y moment_x moment_y moment_n", name, " ") }
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
        for (k = 1; k <= 6; k++) {
            want = $(column["want_" kind[k]]); group = k <= 3 ? "forces" : "moments"
            got = $(column[name[k]]); rows = NR - 1
            if (got !~ /^-?[0-9]/) { print "row " rows ": " name[k] " is " got; bad = 1 }
            if (magnitude(want) > largest[group]) largest[group] = magnitude(want)
            if (magnitude(got - want) > worst[group]) worst[group] = magnitude(got - want)
        }
    }
    END {
        if (rows < 50) { print "only " rows + 0 " rows"; bad = 1 }
        for (group in largest) {
            relative = largest[group] > 0 ? worst[group] / largest[group] : 0
            # The moments of a sphere are the difference of its torque and R times the force: rounding errors of that.
            if (group == "moments") relative = worst[group] / (largest["forces"] * 0.005)
            printf "%s: worst relative difference %.2g in %d rows\n", group, relative, rows
            if (!(relative <= tolerance)) bad = 1
        }
        exit bad
    }'
