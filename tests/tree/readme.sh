#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: readme.sh ROOT BUILD
#
# What the README shows is so: each block after `<!-- FILE -->` is that file, but for its licence line; links lead
# somewhere; its sh blocks run in the shell that it opens, in a copy of the tree, with nothing else in the environment.
set -u
cd "$1" || exit 1
build=$(cd "$2" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# block FILE: prints the fenced block after the FILE's mark.
block() {
    awk -v mark="<!-- $1 -->" '
        $0 == mark { marked = 1; next }
        marked && /^```/ { if (inside) exit; inside = 1; next }
        inside { print }' README.md
}

files=$(sed -n 's/^<!-- \(.*\) -->$/\1/p' README.md)
[ -n "$files" ] || { echo 'the README shows no file'; exit 1; }
for file in $files; do
    block "$file" >"$folder/block"
    grep -v '^/\* SPDX-License-Identifier' "$file" | diff -u --label README.md --label "$file" "$folder/block" - || failed=1
done
for target in $(grep -o '](\([^)]*\))' README.md | tr -d '()]' | grep -v '^https://'); do
    [ -e "$target" ] || { echo "README.md: there is no $target"; failed=1; }
done

# The first command creates the tree and a folder for outputs.
mkdir "$folder/tree" "$folder/tree/out"
ln -s "$PWD"/[a-n]* "$PWD"/[p-z]* "$folder/tree"
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md >"$folder/typed"
shell=$(sed -n 's/^meson devenv -C build /meson devenv -C "$build" /p' README.md)
[ -n "$shell" ] || { echo 'the README opens no shell'; exit 1; }
cd "$folder/tree" && env -i HOME="$folder" PATH=/usr/local/bin:/usr/bin:/bin build="$build" \
    sh -c "$shell sh -e ../typed" >"$folder/printed" 2>&1 || { cat "$folder/printed"; failed=1; }
exit $failed
