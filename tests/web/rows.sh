#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: rows.sh ROOT BUILD ROWS
#
# `pcm rig --trial` writes the same table of that many rows as native code and as WebAssembly, whose laws are compiled
# without SIMD and with it.
set -eu
root=$1 build=$2 rows=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/files" "$work/plain" "$work/simd"
vectors=0
laws='HuntCrossley KelvinVoigt Hertz SmoothSpringDamper'
for law in $laws; do
    echo "ContactType $law = $law {};"
    cp "$build/web/laws/$law.wasm" "$work/plain"
    LAW_FLAGS=-msimd128 "$root/web/law.sh" "$root/include" "$root/plugins/$law.c" "$work/simd/$law.wasm"
    cmp -s "$work/plain/$law.wasm" "$work/simd/$law.wasm" || vectors=$((vectors + 1))
done >"$work/files/laws.pcm"
[ $vectors -gt 0 ] || { echo "no law has SIMD" >&2; exit 1; }
awk -v rows="$rows" -v laws="$laws" 'BEGIN {
    srand(1)
    count = split(laws, law, " ")
    print "contact,t,depth,depth_rate,slip_x,slip_y,radius"
    for (i = 0; i < rows; i++)
        printf "%s,%.9g,%.17g,%.17g,%.17g,%.17g,%.17g\n", law[i % count + 1], i * 1e-4, 0.004 * rand() - 0.0005,
            2 * rand() - 1, 2 * rand() - 1, 2 * rand() - 1, 0.01 + rand()
}' >"$work/files/motion.csv"
rig='rig laws.pcm --motion motion.csv --trial'
(cd "$work/files" && PCM_PLUGIN_PATH=$build/plugins "$build/tools/pcm" $rig) >"$work/native"
[ "$(wc -l <"$work/native")" -eq $((rows + 1)) ]
for way in plain simd; do
    node "$root/tests/web/pcm.mjs" "$build/web/pcm.wasm" "$work/$way" "$work/files" $rig >"$work/$way.csv"
    cmp "$work/native" "$work/$way.csv"
done
echo "$rows rows: the same bytes natively, without SIMD and with it"
