#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: links.sh ROOT
#
# Every page can be reached from docs/README.md, and every file that a page points at is there.
set -u
cd "$1/docs" || exit 1
failed=0
for page in *.md laws/*.md; do
    for target in $(grep -o '](\([^)#]*\)' "$page" | cut -c3- | grep -v '^http'); do
        [ -e "$(dirname "$page")/$target" ] || { echo "docs/$page points at $target, which is not there"; failed=1; }
    done
done
for page in *.md; do
    [ "$page" = README.md ] || grep -q "($page)" README.md || { echo "docs/README.md does not list $page"; failed=1; }
done
exit $failed
