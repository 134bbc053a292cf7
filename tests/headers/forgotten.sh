#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: forgotten.sh INCLUDE
#
# A law without PCM_KERNELS gets one error, which names what is missing and leads to the author's line.
set -u
law='#include <pcm/plugin.h>
PCM_MODEL(Forgetful, "a law without kernels", .inputs = PCM_DEPTH);'
failed=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    said=$(printf '%s\n' "$law" | LC_ALL=C $compiler -std=c17 -Wall -Wextra -x c -isystem "$1" -fsyntax-only - 2>&1)
    if [ "$(echo "$said" | grep -E 'error:|warning:' | grep -c '^<stdin>:2:.*error:.*PCM_KERNELS_is_missing')" != 1 ] ||
        [ "$(echo "$said" | grep -cE 'error:|warning:')" != 1 ]; then
        printf '%s says:\n%s\n' $compiler "$said"
        failed=1
    fi
done
exit $failed
