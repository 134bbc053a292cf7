#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: releases.sh SOURCE RELEASES
#
# Compiles the host without a warning against the headers of each MuJoCo under RELEASES (headers/NUMBER and
# NUMBER/include), and against two releases that do not exist: a later one, and one with other collision functions. For
# each, docs/mujoco.md says what it can do.
set -u
cd "$1" || exit 1
if [ ! -d "$2" ]; then
    echo "no headers of other MuJoCo releases in $2"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compiled=0
failed=0

rooms=$(printf -- '-I%s ' hosts/mujoco/*/)

# host HEADERS [OPTION ...]
host() {
    headers=$1
    shift
    cc -std=gnu17 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -fsyntax-only "$@" -isystem "$headers" -Iinclude -Igrammar \
        $rooms
}

for headers in "$2"/headers/* "$2"/*/include; do
    [ -f "$headers/mujoco/mujoco.h" ] || continue
    compiled=$((compiled + 1))
    if ! host "$headers" -Werror hosts/mujoco/*/*.c hosts/cvode/*.c ||
        ! host "$headers" -Werror -DPCM_MUJOCO_GEOMETRY hosts/mujoco/*/*.c; then
        echo "$headers: does not compile without warnings"
        failed=$((failed + 1))
    fi
    if ! cc -std=gnu17 -isystem "$headers" tests/hosts/features.c -lm -o "$scratch/features" ||
        ! "$scratch/features" docs/mujoco.md; then
        echo "$headers: docs/mujoco.md has another table"
        failed=$((failed + 1))
    fi
done

# The latest headers, as if PCM knew only the releases before.
latest=$(ls -d "$2"/*/include | sort -V | tail -n 1)
cp -rL "$latest/mujoco" "$scratch/"
cp -r hosts/mujoco "$scratch/host"
chmod -R u+w "$scratch"
sed -i 's/^\(#define PCM_RELEASE_LAST \).*/\1 3000000/' "$scratch/host/base/release.h"
rooms=$(printf -- '-I%s ' "$scratch"/host/*/)
if ! host "$scratch" "$scratch/host/life/hooks.c" 2>"$scratch/said" || ! grep -q 'later than the last one' "$scratch/said"; then
    echo "a later release: does not compile with a warning"
    failed=$((failed + 1))
fi
sed -i 's/\(typedef int (\*mjfCollision)(const mjModel\* m, \)/\1int more, /' "$scratch/mujoco/mjdata.h"
if host "$scratch" "$scratch/host/life/hooks.c" 2>"$scratch/said" || ! grep -q 'PCM does not support MuJoCo' "$scratch/said"; then
    echo "a release with other collision functions: not refused"
    failed=$((failed + 1))
fi
echo "$compiled releases, $failed failed"
[ $failed -eq 0 ] && [ $compiled -gt 0 ]
