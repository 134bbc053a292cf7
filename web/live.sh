#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: live.sh ESBUILD MAIN.js WORKER.js PAGE.html PAGE.css LICENCES PROGRAM.wasm REPLAY.html NODE_MODULES OUT.html
#
# The page of a live scene without its data, which `pcm live` puts into the line @data@. Programs are packed by gzip, and
# so is the page for recorded runs, as which a live one can be saved.
set -eu
esbuild=$1 main=$2 worker=$3 page=$4 style=$5 licences=$6 program=$7 replay=$8 modules=$9
shift 9
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mujoco=$modules/@mujoco/mujoco
# MuJoCo's loader has a branch for Node, which a page never takes.
bundle() {
    NODE_PATH=$modules "$esbuild" "$1" --bundle --minify --charset=ascii --format=iife --target=es2022 --legal-comments=none \
        --log-level=warning --external:module --external:fs --external:path --external:url --external:node:* \
        --define:import.meta.url='""' --outfile="$2"
}
pack() { gzip -9nc "$1" | base64 -w 0 && echo; }
bundle "$main" "$work/script"
bundle "$worker" "$work/worker"
smaller=$program
if command -v wasm-opt >/dev/null; then
    smaller=$work/smaller.wasm
    wasm-opt -O3 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
        "$program" -o "$smaller"
fi
pack "$smaller" >"$work/program"
pack "$mujoco/mujoco.wasm" >"$work/mujoco"
pack "$replay" >"$work/replay"
here=$(dirname "$0")
cat "$modules/uplot/dist/uPlot.min.css" "$here/shared/colors.css" "$here/shared/base.css" "$style" "$here/shared/editor.css" "$here/live/page.css" >"$work/style"
{
    for package in three uplot; do
        printf '%s: https://www.npmjs.com/package/%s\n\n' "$package" "$package"
        cat "$modules/$package/LICENSE"
        echo
    done
    cat "$licences"
} | sed 's/-->/-- >/g' >"$work/licences"
for part in script worker; do echo >>"$work/$part"; done
expression=
for part in licences style script worker program mujoco replay; do
    expression="$expression
/^@$part@\$/{r $work/$part
d}"
done
sed -e "$expression" "$page" >"$out"
