#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: packed.sh PLUGIN.so...
#
# Every law computes with packed instructions of the full width in each of its kernel sets.
set -u
command -v objdump >/dev/null || exit 77
[ "$(uname -m)" = x86_64 ] || exit 77
failed=0
for plugin; do
    objdump -d --no-show-raw-insn "$plugin" | awk -v plugin="$plugin" '
        />:$/ { name = $2 }
        $2 ~ /^v?(add|sub|mul|div|sqrt|max|min)pd$/ {
            if (name ~ /pcm_update_plain/ && /%xmm/) plain++
            if (name ~ /pcm_update_avx2/ && /%ymm/) avx2++
            if (name ~ /pcm_update_avx512/ && /%zmm/) avx512++
        }
        END {
            if (plain < 3 || avx2 < 3 || avx512 < 3) {
                printf "%s: packed instructions: %d plain, %d AVX2, %d AVX-512\n", plugin, plain, avx2, avx512
                exit 1
            }
        }' || failed=1
done
exit $failed
