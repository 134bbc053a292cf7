#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: instructions.sh PROGRAM LAW KNOWN
#
# Counts the instructions that an update takes per contact, moves and wrenches included, with the kernels that any
# processor runs: a number that is the same in every run. Fails on a rise of more than 5 % above the one in KNOWN; after
# a fall of more than 5 %, put the new number there.
set -eu
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=scene_update "$1" "$2" 2>"$counts"
awk -v law="$2" '
    FNR == NR { if ($1 == law) known = $2; next }
    /Collected/ { count = $NF / (10 * 3000) }
    END {
        printf "%s: %.1f instructions per contact, known are %.1f\n", law, count, known
        exit !(count > 0 && known > 0 && count < 1.05 * known)
    }' "$3" "$counts"
