#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: bundle.sh ESBUILD MAIN.js PAGE.html PAGE.css NODE_MODULES OUT.html
#
# One file of code, style and licences: PAGE.html with its three lines @licences@, @style@ and @script@ replaced. The
# script is ASCII and holds no end of a script element.
set -eu
esbuild=$1 main=$2 page=$3 style=$4 modules=$5 out=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
NODE_PATH=$modules "$esbuild" "$main" --bundle --minify --charset=ascii --format=iife --target=es2022 \
    --legal-comments=none --log-level=warning --outfile="$work/script"
here=$(dirname "$0")
cat "$modules/uplot/dist/uPlot.min.css" "$here/shared/colors.css" "$here/shared/base.css" "$style" >"$work/style"
for package in three uplot; do
    printf '%s: https://www.npmjs.com/package/%s\n\n' "$package" "$package"
    cat "$modules/$package/LICENSE"
    echo
done >"$work/licences"
sed -i 's/-->/-- >/g' "$work/licences"
sed -e "/^@licences@\$/{r $work/licences
d}" -e "/^@style@\$/{r $work/style
d}" -e "/^@script@\$/{r $work/script
d}" "$page" >"$out"
