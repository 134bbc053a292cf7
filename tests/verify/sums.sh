#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: sums.sh ROOT BUILD [EVERY [BUDGET]]
#
# Sums of two shipped laws, every one that the reader accepts or every EVERY-th of them, hold what `pcm verify` checks,
# but for what known.txt lists for the two or one of them.
set -u
root=$1
build=$2
every=${3:-1}
budget=${4:-0.2}
pcm=$build/tools/pcm
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 count=0 tried=0
known() { sed -n "s/^$1: *\([^#]*\).*/\1/p" "$root/tests/verify/known.txt"; }
sum() {
    echo "ContactType Sum = $1 + $2; DefaultPair -> Sum;" >"$folder/sum.pcm"
    "$pcm" check "$folder/sum.pcm" --plugins "$build/plugins" >"$folder/checked" 2>&1 || return
    count=$((count + 1))
    [ $((count % every)) -eq 0 ] || return
    tried=$((tried + 1))
    timeout 300 "$pcm" verify "$folder/sum.pcm" --plugins "$build/plugins" --budget "$budget" --out "$folder" \
        >"$folder/said" 2>&1
    status=$?
    for check in $(awk '$2 == "FOUND" { print $1 }' "$folder/said"); do
        echo " $(known "$1") $(known "$2") $(known "$1 + $2") " | grep -q " $check " && continue
        echo "$1 + $2: $check"
        sed -n "/^$check\$/,/^\$/p" "$folder/said"
        failed=1
    done
    [ $status -le 1 ] || { cat "$folder/said"; failed=1; }
}
laws=$(cd "$root/plugins" && ls [A-Z]*.c | sed 's/\.c$//')
for first in $laws; do
    for second in $laws; do
        sum "$first" "$second"
    done
done
echo "$tried of $count sums of two"
[ $tried -gt 0 ] && exit $failed
exit 1
