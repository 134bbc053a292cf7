#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: layout.sh INCLUDE LAYOUT.c...
#
# The sizes, offsets and constants that plugins and hosts were built with are still there.
set -u
[ "$(getconf LONG_BIT)" = 64 ] || exit 77
include=$1
shift
failed=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    $compiler -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$include" -fsyntax-only "$@" || failed=1
done
exit $failed
