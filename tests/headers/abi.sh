#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: abi.sh ROOT LIBRARY ...
#
# Holds the binary interface of the libraries to tests/headers/abi: programs that were linked with an earlier build run
# with this one. New functions, new last fields of structs and new last words of enumerations are growth; any other
# difference is printed. One that is meant is taken over with PCM_UPDATE_GOLDEN=1, and reviewed with what made it.
set -u
root=$1
shift
command -v abidiff >/dev/null || { echo "abidiff is not installed (Debian: abigail-tools)"; exit 77; }
now=$(mktemp)
trap 'rm -f "$now"' EXIT
failed=0

# The lines of abidiff's report that are not mere growth: inserting a field before others moves those.
breaks() {
    awk '/deletion|\[D\]|was added|was removed|enumerator changes?:|from value|return type changed/ ||
        (/changed from/ && !/type size changed from/) { print; found = 1 }
        END { exit !found }'
}

for library in "$@"; do
    kept=$root/tests/headers/abi/$(basename "$library" | sed 's/\.so.*//').abi
    abidw --headers-dir "$root/include" --drop-private-types --no-corpus-path --no-comp-dir-path --no-show-locs \
        --exported-interfaces-only --out-file "$now" "$library" || failed=1
    if [ -n "${PCM_UPDATE_GOLDEN-}" ]; then
        cp "$now" "$kept"
    elif abidiff --no-added-syms "$kept" "$now" | breaks; then
        echo "$library: programs that were linked with it before may not run with it"
        failed=1
    fi
done
exit $failed
