#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: functions.sh ROOT
#
# docs/api.md lists the functions that the public headers declare, and each has a comment. PCM_UPDATE_GOLDEN=1 writes it.
set -eu
cd "$1"
listed=$(mktemp)
trap 'rm -f "$listed"' EXIT
awk -f docs/api.awk include/pcm/*.h >"$listed"
[ -z "${PCM_UPDATE_GOLDEN-}" ] || cp "$listed" docs/api.md
diff -u docs/api.md "$listed"
