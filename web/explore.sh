#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: explore.sh ESBUILD MAIN.js WORKER.js PAGE.html PAGE.css PROGRAM.wasm OUT.html
#
# The explorer's page without its data, which `pcm explore` puts into the line @data@. Scripts are ASCII and hold no end of
# a script element; the program is packed by gzip, as the laws' modules are.
set -eu
esbuild=$1 main=$2 worker=$3 page=$4 style=$5 program=$6 out=$7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle() {
    "$esbuild" "$1" --bundle --minify --charset=ascii --format=iife --target=es2022 --legal-comments=none \
        --log-level=warning --outfile="$2"
}
bundle "$main" "$work/script"
bundle "$worker" "$work/worker"
smaller=$program
if command -v wasm-opt >/dev/null; then
    smaller=$work/smaller.wasm
    wasm-opt -Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
        "$program" -o "$smaller"
fi
gzip -9nc "$smaller" | base64 -w 0 >"$work/program"
here=$(dirname "$0")
cat "$here/shared/colors.css" "$here/shared/base.css" "$here/shared/editor.css" "$style" >"$work/style"
for part in script worker program; do echo >>"$work/$part"; done
sed -e "/^@style@\$/{r $work/style
d}" -e "/^@script@\$/{r $work/script
d}" -e "/^@worker@\$/{r $work/worker
d}" -e "/^@program@\$/{r $work/program
d}" "$page" >"$out"
