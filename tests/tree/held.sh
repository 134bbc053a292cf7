#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: held.sh ROOT
#
# Every law that computes something is held to numbers from elsewhere, to bits that do not change, and has a page and a
# file to start from. Numbers of materials say where they come from.
set -u
cd "$1" || exit 1
failed=0
lacks() {
    echo "plugins/$1.c lacks $2"
    failed=1
}
for plugin in plugins/*.c; do
    law=$(basename "$plugin" .c)
    [ -s "docs/laws/$law.md" ] || lacks "$law" "a page: docs/laws/$law.md (docs/laws/draw)"
    [ -s "configs/$law.pcm" ] || lacks "$law" "a file to start from: configs/$law.pcm"
    grep -q 'PCM_HOST_CONTACT' "$plugin" && continue
    grep -qE "^law +$law( |\$)" tests/tools/reference/*.txt ||
        lacks "$law" 'reference rows: a table in tests/reference and a file in tests/tools/reference that names the law'
    grep -q "{\"$law\"," tests/plugins/test_bits.c || lacks "$law" 'bits: a line in the table of tests/plugins/test_bits.c'
done
for pair in configs/pairs/*.pcm; do
    awk -v pair="$pair" '/^    .*= *[0-9]/ && !/#/ { print pair ":" NR ": a number without its source"; failed = 1 }
        END { exit failed }' "$pair" || failed=1
done
exit $failed
