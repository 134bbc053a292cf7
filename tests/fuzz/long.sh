#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: [SANITIZE=none] long.sh RUNS [TARGET ...]
#
# Runs the targets under libFuzzer, all or those named, that many times each (numbers and meshes, which are quick, ten
# times as often), or for as many seconds as RUNS says with an s behind it, and prints of each how many inputs there were
# and how many edges of the code they took. Builds them with clang first: in build-fuzz with the address and
# undefined-behaviour sanitizers; with SANITIZE=none in build-fuzz-none without, several times faster, where the targets'
# own demands and crashes are the findings. What it finds of interest goes to the build's corpus/; an input that broke
# something is left there, named, and the exit code is 1.
set -eu
[ $# -ge 1 ] || { echo "usage: [SANITIZE=none] long.sh RUNS [TARGET ...]" >&2; exit 2; }
runs=$1
shift
cd "$(dirname "$0")/../.."
root=$PWD
sanitize=${SANITIZE:-address,undefined}
build=$root/build-fuzz
[ "$sanitize" != none ] || build=$root/build-fuzz-none
[ -d "$build" ] || CC=${FUZZ_CC:-clang} meson setup "$build" -Dfuzz=true -Db_sanitize="$sanitize" -Db_lundef=false \
    -Dbench=false -Dpython=disabled -Dpages=disabled -Dlammps=disabled -Dreplay=enabled >/dev/null
ninja -C "$build" fuzz >/dev/null
[ $# -gt 0 ] || set -- $(cd "$build/tests/fuzz" && ls | sed -n 's/^fuzz_\([a-z]*\)$/\1/p')

# Gets the dictionary of a target from meson.build.
dictionary() {
    word=$(sed -n "s/.*'$1': \['[^']*', [a-z_]*, '\([a-z]*\)'.*/\1/p" tests/fuzz/meson.build)
    echo "$root/tests/fuzz/dictionaries/$word.dict"
}
limit() {
    case $runs:$1 in
    *s:*) echo "-max_total_time=${runs%s}" ;;
    *:number | *:mesh) echo "-runs=${runs}0" ;;
    *) echo "-runs=$runs" ;;
    esac
}
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
failed=0
for target in "$@"; do
    found=$build/corpus/$target
    mkdir -p "$found"
    log=$build/corpus/$target.log
    # Uses edges without counts, which is many times faster, and drops the commands' output. Measures wall time, since a
    # machine may pause low-priority work for a minute.
    if ! "$build/tests/fuzz/fuzz_$target" "$(limit "$target")" -dict="$(dictionary "$target")" -max_len=8192 -timeout=100 \
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
