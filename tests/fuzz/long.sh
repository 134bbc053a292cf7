#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: long.sh RUNS [TARGET ...]
#
# Runs the targets under libFuzzer with the address and undefined-behaviour sanitizers, all or those named, that many
# times each, or for as many seconds as RUNS says with an s behind it, and prints of each how many inputs there were and
# how many edges of the code they took. Builds them in build-fuzz with clang first. What it finds of interest goes to
# build-fuzz/corpus; an input that broke something is left there, named, and the exit code is 1.
set -eu
[ $# -ge 1 ] || { echo "usage: long.sh RUNS [TARGET ...]" >&2; exit 2; }
runs=$1
shift
cd "$(dirname "$0")/../.."
root=$PWD
build=$root/build-fuzz
[ -d "$build" ] || CC=${FUZZ_CC:-clang} meson setup "$build" -Dfuzz=true -Db_sanitize=address,undefined \
    -Db_lundef=false -Dbench=false -Dpython=disabled >/dev/null
ninja -C "$build" fuzz >/dev/null
[ $# -gt 0 ] || set -- $(cd "$build/tests/fuzz" && ls | sed -n 's/^fuzz_\([a-z]*\)$/\1/p')

# The dictionary of a target, as meson.build says.
dictionary() {
    word=$(sed -n "s/.*'$1': \['[^']*', [a-z_]*, '\([a-z]*\)'.*/\1/p" tests/fuzz/meson.build)
    echo "$root/tests/fuzz/dictionaries/$word.dict"
}
case $runs in
*s) limit=-max_total_time=${runs%s} ;;
*) limit=-runs=$runs ;;
esac
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
failed=0
for target in "$@"; do
    found=$build/corpus/$target
    mkdir -p "$found"
    log=$build/corpus/$target.log
    # Edges alone, without counts: that is many times faster. What the commands say is dropped.
    if ! "$build/tests/fuzz/fuzz_$target" "$limit" -dict="$(dictionary "$target")" -max_len=8192 -timeout=20 \
        -rss_limit_mb=3000 -entropic=0 -use_counters=0 -close_fd_mask=2 -print_final_stats=1 -artifact_prefix="$found-" \
        "$found" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
        failed=1
        tail -30 "$log"
    fi
    awk -v target="$target" '/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
        /number_of_executed_units/ { count = $2 } /average_exec_per_sec/ { rate = $2 }
        END { printf "%-12s %9d inputs, %6d a second, %5d edges\n", target, count, rate, edges }' "$log"
done
exit $failed
