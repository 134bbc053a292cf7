#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: one_lane.sh INCLUDE PRIVATE_LANE.c LAW.c...
#
# Every law compiles for one lane without a header of the C library and exports its verbs alone. Where clang is there
# the code that it makes for GPUs has nothing that changes bits: no fused or approximate arithmetic, no minimum or
# maximum that orders zeros of two signs, and no call. It keeps nothing in a thread's private memory.
set -u
include=$1
contact=$2
shift 2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
complain() {
    echo "$1"
    failed=1
}

options='-std=c17 -O2 -ffreestanding -fno-math-errno -fno-trapping-math -ffp-contract=off -DPCM_ONE_LANE'
warnings='-Wall -Wextra -Wconversion -Wpedantic -Werror'

# gpu LAW NAME PATTERN OPTION...: writes the assembly, without lines that match the pattern.
gpu() {
    law=$1 name=$2 pattern=$3
    shift 3
    # shellcheck disable=SC2086
    clang $options $warnings -nostdlibinc -I"$include" "$@" -S "$law" -o "$out/law.s" || complain "$law: not for $name"
    grep -E "$pattern" "$out/law.s" && complain "$law: this changes bits on $name"
}

# private LAW: looks for private memory, after the optimiser has seen the law alone and once more with all around it.
private() {
    # shellcheck disable=SC2086
    clang $options -O3 -w -nostdlibinc -I"$include" -target nvptx64 -include "$1" -S -emit-llvm "$contact" -o "$out/law.ll" &&
        clang -O3 -w -target nvptx64 -S "$out/law.ll" -o "$out/law.s" || complain "$1: not one contact"
    sed -n '/one_contact/,$p' "$out/law.s" | grep -E 'local_depot|\.local' && complain "$1: keeps this in private memory"
}

for law; do
    name=$(basename "$law" .c)
    # shellcheck disable=SC2086
    gcc $options $warnings -nostdinc -isystem "$(gcc -print-file-name=include)" -I"$include" -c "$law" -o "$out/law.o" ||
        complain "$law: not by gcc"
    exports=$(nm -g --defined-only "$out/law.o" | awk '{ print $3 }' | sort | tr '\n' ' ')
    verbs="${name}_establish ${name}_forces ${name}_jump ${name}_terminate ${name}_update "
    [ "$exports" = "$verbs" ] || complain "$law: exports $exports"
    [ -z "$(nm -u "$out/law.o")" ] || complain "$law: wants $(nm -u "$out/law.o")"
    if command -v clang >/dev/null; then
        gpu "$law" NVPTX '(min|max)\.f64|fma|approx|call|\.extern' -target nvptx64
        gpu "$law" AMDGCN 'v_(min|max)_f64|s_swappc' -target amdgcn -mcpu=gfx90a
        private "$law"
    fi
done
exit $failed
