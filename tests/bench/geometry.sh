#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: geometry.sh PROGRAM [RIVAL ...]
#
# bench-geometry tells of a pair, found at first and in motion, what each rival takes.
set -eu
program=$1
shift
lines=$("$program" --json --seconds 0 'sphere, plane' 2>/dev/null)
echo "$lines"
[ "$(echo "$lines" | grep -c '"name": "sphere, plane')" = 2 ]
for rival in MuJoCo "$@"; do
    [ "$(echo "$lines" | grep -c "\"rivals\": {.*\"$rival\": [0-9]")" = 2 ]
done
