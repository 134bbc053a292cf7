#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: outside.sh ROOT BUILD
#
# What a user of the installed library does: build a plugin and an embedding program outside the tree, with nothing but
# what pkg-config says, and have both found by the installed command and run.
set -eu
root=$1
build=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

meson install -C "$build" --no-rebuild --quiet --destdir "$place/installed"
file=$(find "$place/installed" -name pcm.pc)
export PKG_CONFIG_PATH="${file%/*}" PKG_CONFIG_SYSROOT_DIR="$place/installed"
libraries=${PKG_CONFIG_PATH%/pkgconfig}
export LD_LIBRARY_PATH="$libraries"
command=$(find "$place/installed" -type f -name pcm)

mkdir "$place/work"
cp "$root/examples/LinearSpring.c" "$root/examples/embedding.c" "$root/examples/embedding.pcm" "$place/work"
cd "$place/work"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    mkdir $compiler
    strict='-Wall -Wextra -Wconversion -Wpedantic -Werror'
    $compiler $strict -shared -fPIC -O2 $(pkg-config --cflags pcm) LinearSpring.c -o $compiler/LinearSpring.so
    $compiler $strict embedding.c -o $compiler/embedding $(pkg-config --cflags --libs pcm)

    # Its own plugin through the plugin path, and beside it those that were installed.
    echo 'ContactType C = LinearSpring { Stiffness = 2e4; }; DefaultPair -> C;' >spring.pcm
    PCM_PLUGIN_PATH=$PWD/$compiler "$command" check spring.pcm
    PCM_PLUGIN_PATH=$PWD/$compiler "$command" models | grep -q LinearSpring
    "$command" check embedding.pcm
    "$command" models LinearSpring 2>refusal && { echo 'LinearSpring was found without a path to it'; exit 1; }
    grep -q 'LinearSpring' refusal

    # No installed program reads that directory by itself here: the prefix was never written to.
    plugins=$libraries/pcm/plugins
    PCM_PLUGIN_PATH=$plugins $compiler/embedding embedding.pcm >table
    [ "$(wc -l <table)" -eq 6 ]
done
