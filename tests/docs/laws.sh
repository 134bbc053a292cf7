#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: laws.sh ROOT BUILD
#
# The pages of the laws are what their tables say: `docs/laws/draw BUILD` writes them anew. Each law has a page, each
# picture that a page shows is there, and the list of laws knows every page.
set -u
laws=$1/docs/laws
build=$2
failed=0
for plugin in "$1"/plugins/*.c; do
    law=$(basename "$plugin" .c)
    "$laws/page" "$law" "$build" | diff -u "$laws/$law.md" - || failed=1
    grep -q "($law.md)" "$laws/README.md" || { echo "docs/laws/README.md does not list $law"; failed=1; }
done
for picture in $(sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$laws"/*.md); do
    [ -s "$laws/$picture" ] || { echo "docs/laws/$picture is missing"; failed=1; }
done
exit $failed
