#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: cmake.sh ROOT BUILD
#
# The CMake project that docs/install.md shows, built against an installation: its program runs, its law is found. A part
# that is not there, or a version that is too new, is refused.
set -eu
command -v cmake >/dev/null || { echo 'cmake is not here'; exit 77; }
root=$1
build=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
meson install -C "$build" --no-rebuild --quiet --destdir "$place/installed"
config=$(find "$place/installed" -name pcm-config.cmake)
command=$(find "$place/installed" -type f -path "*/bin/pcm")
prefix=${command%/bin/pcm}

# project FOLDER LINE...: copies the page's project; if a line is given it replaces find_package.
project() {
    mkdir "$place/$1"
    cp "$root"/examples/embedding.* "$root"/examples/LinearSpring.c "$place/$1"
    awk '/^```cmake$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/install.md" |
        sed "s/^find_package.*/${2:-&}/" >"$place/$1/CMakeLists.txt"
    cmake -G Ninja -S "$place/$1" -B "$place/$1/build" -DCMAKE_PREFIX_PATH="$prefix" >"$place/$1/said" 2>&1
}

project good || { cat "$place/good/said"; exit 1; }
ninja -C "$place/good/build" >/dev/null
"$command" models LinearSpring --plugins "$place/good/build" >/dev/null
PCM_PLUGIN_PATH="${config%/cmake/pcm/*}/pcm/plugins" "$place/good/build/embedding" "$place/good/embedding.pcm" >"$place/table"
[ "$(wc -l <"$place/table")" -eq 6 ]

! project parts 'find_package(pcm REQUIRED COMPONENTS teleportation)' || { echo 'a part that is not there was found'; exit 1; }
grep -q 'built without' "$place/parts/said" || { cat "$place/parts/said"; exit 1; }
! project newer 'find_package(pcm 0.99 REQUIRED)' || { echo 'a version that is not there was found'; exit 1; }
project same "find_package(pcm $("$command" --version | cut -d' ' -f2) REQUIRED)" || { cat "$place/same/said"; exit 1; }
