#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: readme.sh ROOT BUILD
#
# Code that the README shows is code that the tests run: each block after `<!-- FILE -->` is that file, but for its
# licence line. Commands in its sh blocks are run in the tree, with the programs of the build; links lead somewhere.
set -u
cd "$1" || exit 1
export PATH="$2/tools:$PATH"
failed=0

# block FILE: the fenced block that follows the FILE's mark.
block() {
    awk -v mark="<!-- $1 -->" '
        $0 == mark { marked = 1; next }
        marked && /^```/ { if (inside) exit; inside = 1; next }
        inside { print }' README.md
}

files=$(sed -n 's/^<!-- \(.*\) -->$/\1/p' README.md)
[ -n "$files" ] || { echo 'the README shows no file'; exit 1; }
for file in $files; do
    block "$file" >"${TMPDIR:-/tmp}/pcm-readme.$$"
    grep -v '^/\* SPDX-License-Identifier' "$file" | diff -u --label "README.md" --label "$file" "${TMPDIR:-/tmp}/pcm-readme.$$" - || failed=1
    rm "${TMPDIR:-/tmp}/pcm-readme.$$"
done

awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md | sh -e >/dev/null || failed=1
for target in $(grep -o '](\([^)]*\))' README.md | tr -d '()]'); do
    [ -e "$target" ] || { echo "README.md: there is no $target"; failed=1; }
done
exit $failed
