#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: broken.sh EXPECTED.txt PCM FOLDER:...
#
# `pcm verify` finds what is wrong with each broken law of the folders, and nothing else. A line of the table has the law,
# the checks that fail, and words of what is said of it.
set -u
expected=$1
pcm=$2
laws=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
complain() {
    echo "$1"
    cat "$folder/said"
    failed=1
}
while IFS=: read -r law checks words; do
    law=${law% } checks=$(echo $checks) words=${words# }
    "$pcm" verify "$law" --plugins "$laws" --budget 1 --out "$folder/out" >"$folder/said" 2>&1
    status=$?
    found=$(echo $(awk '$2 == "FOUND" { print $1 }' "$folder/said"))
    [ "$found" = "$checks" ] || complain "$law: '$found' fail and not '$checks'"
    [ -z "$words" ] || tr -s '\n ' ' ' <"$folder/said" | grep -qF -e "$words" || complain "$law: nothing says '$words'"
    [ $status -eq "$([ -n "$checks" ]; echo $((1 - $?)))" ] || complain "$law: exit status $status"
    for check in $checks; do
        [ -s "$folder/out/$law-$check.csv" ] || complain "$law: no table for $check"
        # On the rig these would crash, report infinite numbers, or report where the law writes.
        case $law-$check in *-survives | *-finite | WritesPast-columns | WritesState-* | Mindlin-slide) continue ;; esac
        replay=$(grep "pcm rig .*$law-$check.csv" "$folder/said")
        [ -n "$replay" ] && "$pcm" ${replay#  pcm} >"$folder/replayed" 2>&1 || complain "$law: $check does not replay"
    done
done <"$expected"
[ -s "$folder/said" ] || { echo "$expected: no law"; exit 1; }

# Selects a check that is normally preceded by the one for hidden state.
"$pcm" verify HiddenThread --plugins "$laws" --budget 1 --out "$folder/out" --only resume >"$folder/said" 2>&1
grep -q 'resume *FOUND' "$folder/said" || complain 'HiddenThread: resume does not fail'
exit $failed
