#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: packed.sh PLUGIN.so...
#
# Every law computes with packed instructions of the full width in each of its kernel sets, with and without reports.
set -u
command -v objdump >/dev/null || exit 77
[ "$(uname -m)" = x86_64 ] || exit 77
failed=0
for plugin; do
    objdump -d --no-show-raw-insn "$plugin" | awk -v plugin="$plugin" '
        />:$/ { name = $2 }
        $2 ~ /^v?(add|sub|mul|div|sqrt|max|min|cmp[a-z_]*)pd$/ {
            if (name ~ /plain/ && /%xmm/ || name ~ /avx2/ && /%ymm/ || name ~ /avx512/ && /%zmm/) packed[name]++
        }
        END {
            split("update forces", verbs)
            split("plain avx2 avx512", sets)
            for (v in verbs) for (s in sets) {
                name = "<pcm_" verbs[v] "_" sets[s] ">:"
                if (packed[name] < 3) {
                    printf "%s: %d packed instructions in %s\n", plugin, packed[name], name
                    failed = 1
                }
            }
            exit failed
        }' || failed=1
done
exit $failed
