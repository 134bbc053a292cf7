#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: links.sh ROOT
#
# Every page can be reached from docs/README.md, and every file, heading, function and message that a page points at is
# there.
set -u
cd "$1/docs" || exit 1
failed=0

# The anchors of a page: its headings in lower case, without punctuation, with dashes for spaces.
anchors() {
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

for page in *.md laws/*.md ../README.md ../CONTRIBUTING.md ../CHANGELOG.md; do
    for link in $(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//' | grep -v '^http'); do
        target=${link%%#*}
        file=$(dirname "$page")/$target
        [ -n "$target" ] || file=$page
        [ -e "$file" ] || { echo "$page points at $target, which is not there"; failed=1; continue; }
        case $link in
        *#*) anchors "$file" | grep -qxF -- "${link#*#}" || { echo "$page points at $link: no such heading"; failed=1; } ;;
        esac
    done
done
for page in *.md; do
    [ "$page" = README.md ] || grep -q "($page)" README.md || { echo "docs/README.md does not list $page"; failed=1; }
done
for name in $(grep -ohE '`pcm_[a-z_0-9]+`' ./*.md ../README.md | tr -d '`' | sort -u); do
    grep -rqw "$name" ../include/pcm ../packaging || { echo "a page names $name, which no header has"; failed=1; }
done
for code in $(grep -ohE 'PCM-[0-9]+' ./*.md ../README.md ../CHANGELOG.md | cut -c5- | sort -u); do
    grep -qE "\b$code\b" ../include/pcm/messages.h || { echo "a page names PCM-$code, which is no message"; failed=1; }
done
exit $failed
