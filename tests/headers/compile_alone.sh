#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: compile_alone.sh INCLUDE
#
# Every header under INCLUDE, on its own, with every compiler here, in the languages that a host or plugin may be
# written in, without one warning.
set -u
cd "$1" || exit 1
compiled=0
failed=0

# alone COMPILER LANGUAGE STANDARD HEADER
alone() {
    command -v "$1" >/dev/null || return 0
    compiled=$((compiled + 1))
    # The declaration after the include shows that the header leaves nothing open.
    if ! printf '#include <%s>\nextern int after_the_header;\n' "$4" |
        "$1" -x "$2" -std="$3" -Wall -Wextra -Wconversion -Wpedantic -Werror -I. -fsyntax-only -; then
        echo "$4: not as $3 with $1"
        failed=$((failed + 1))
    fi
}

for header in pcm/*.h; do
    for standard in c11 c17; do
        alone gcc c $standard "$header"
        alone clang c $standard "$header"
    done
    alone g++ c++ c++11 "$header"
    alone clang++ c++ c++11 "$header"
done
echo "$compiled compilations, $failed failed"
[ $failed -eq 0 ] && [ $compiled -gt 0 ]
