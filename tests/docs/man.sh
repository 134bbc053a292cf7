#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: man.sh BUILD
#
# Each command that `pcm --help` lists has a page, the page has its options, and mandoc reads it without an error.
set -u
build=$1
failed=0
commands=$("$build/tools/pcm" --help | sed -n '/^commands:/,/^$/s/^  \([^ ]*\).*/\1/p')
[ -n "$commands" ] || { echo 'pcm --help lists no commands'; exit 1; }
for command in $commands; do
    page=$build/tools/man/pcm-$command.1
    [ -s "$page" ] || { echo "pcm $command has no page"; failed=1; continue; }
    for option in $("$build/tools/pcm" $command --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        grep -q "^\.B $(echo "$option" | sed 's/-/\\\\-/g')" "$page" || { echo "$page lacks $option"; failed=1; }
    done
    grep -q "pcm-$command (1)" "$build/tools/man/pcm.1" || { echo "pcm.1 does not list $command"; failed=1; }
done
command -v mandoc >/dev/null || exit $failed
for page in "$build"/tools/man/*.1; do
    mandoc -Tlint -W error "$page" || failed=1
done
exit $failed
