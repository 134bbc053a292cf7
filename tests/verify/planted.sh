#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: planted.sh FOLDER BUILD [JOBS]
#
# Plants the bugs of planted.txt in the sound laws of bases/, one in each copy, and asks `pcm verify` about it: 95 % of
# those in whole laws must be found, and 90 % of those in parts, both of the law behind its carriers and of a contact
# type of a file, a sum, that has it, but for those marked `alone`: in a sum they change nothing, or a unit, which verify
# says it tries of each law alone. A line has the kind, the law, what is searched and what is put in its place. The
# laws without a bug hold, and so do sums with them.
set -u
tests=$1
build=$2
jobs=${3:-2}
pcm=$build/tools/pcm
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PKG_CONFIG_PATH="$build/meson-uninstalled" PCM_PLUGIN_PATH="$build/plugins"

# Verifies the law in that folder, alone and, if it is a part, in a sum; prints a line for each finding.
try() {
    kind=$1 law=$2 at=$3
    timeout 300 "$pcm" verify "$at/$law.c" --budget 1 --out "$at/out" >"$at/said" 2>&1
    status=$?
    grep -q PCM-820 "$at/said" && { cat "$at/said"; echo "broken $kind"; return; }
    case $kind in
        whole) echo "whole $status" && return ;;
        alone) echo "part $status" && return ;;
    esac
    echo "part $status"
    echo "ContactType Sum = Hertz + $law; DefaultPair -> Sum;" >"$at/sum.pcm"
    timeout 300 "$pcm" verify "$at/sum.pcm" Sum --budget 1 --plugins "$at" --out "$at/out" >>"$at/said" 2>&1
    echo "sum $?"
}
plant() {
    number=$1 kind=$2 law=$3 from=$4 to=$5
    at=$folder/$number
    mkdir "$at"
    FROM=$from TO=$to awk '!done && (place = index($0, ENVIRON["FROM"])) {
        $0 = substr($0, 1, place - 1) ENVIRON["TO"] substr($0, place + length(ENVIRON["FROM"])); done = 1 } { print }' \
        "$tests/bases/$law.c" >"$at/$law.c"
    if cmp -s "$at/$law.c" "$tests/bases/$law.c"; then
        echo "$law has no '$from'"
        echo "broken $kind"
    else
        bug="$law: $from => $to"
        try "$kind" "$law" "$at" | while read -r answer; do echo "$answer $bug"; done
    fi
}
# The bugs of one of the jobs, each with its number.
share() {
    awk -v job="$1" -v jobs="$jobs" 'NR % jobs == job { print NR ":" $0 }' "$tests/planted.txt" |
        while IFS=': ' read -r number kind law bug; do
            plant "$number" "$kind" "$law" "${bug%% => *}" "${bug#* => }"
        done
}
job=0
while [ $job -lt "$jobs" ]; do
    share $job >"$folder/answers-$job" &
    job=$((job + 1))
done
wait
cat "$folder"/answers-* >"$folder/answers"
grep -E "^broken|has no '" "$folder/answers" && exit 1
awk '$2 == 0 { print "not found: " $0 }
    { all[$1]++; found[$1] += $2 == 1 }
    END {
        for (kind in all) {
            printf "%s: %d of %d found, %d %%\n", kind, found[kind], all[kind], 100 * found[kind] / all[kind]
            wrong += found[kind] < (kind == "whole" ? 0.95 : 0.9) * all[kind]
        }
        exit wrong > 0 || all["whole"] < 40 || all["part"] + all["sum"] < 60
    }' "$folder/answers"
failed=$?
for source in "$tests"/bases/*.c; do
    law=$(basename "$source" .c)
    mkdir "$folder/$law"
    cp "$source" "$folder/$law"
    kind=whole
    grep -q PCM_LOAD "$source" && kind=part
    try $kind "$law" "$folder/$law" >"$folder/held"
    grep -v ' 0$' "$folder/held" && { cat "$folder/$law/said"; failed=1; }
done
exit $failed
