#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: outside.sh ROOT BUILD
#
# What a user of an installation in a folder of their own does: build a plugin and an embedding program outside the tree,
# with nothing but what pkg-config says, and have both found and run without a path for the loader.
set -eu
root=$1
build=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

meson install -C "$build" --no-rebuild --quiet --destdir "$place/installed"
file=$(find "$place/installed" -name pcm.pc)
unset LD_LIBRARY_PATH
export PKG_CONFIG_PATH="${file%/*}" PKG_CONFIG_SYSROOT_DIR="$place/installed"
libraries=${PKG_CONFIG_PATH%/pkgconfig}
command=$(find "$place/installed" -type f -path "*/bin/pcm")

# Every installed file finds its libraries: libpcm by a path relative to the file.
for file in $(find "$place/installed" -type f -name '*.so*' -o -type f -path '*/bin/*' -o -type f -path '*/libexec/*'); do
    ! ldd "$file" | grep 'not found' || { echo "$file misses these"; exit 1; }
done
# Compiler flags for laws must not be passed on to a simulator.
case $(pkg-config --cflags pcm) in
*' -f'*) echo "pcm.pc brings more than the folder of its headers: $(pkg-config --cflags pcm)"; exit 1 ;;
esac

mkdir "$place/work"
cp "$root/examples/LinearSpring.c" "$root/examples/embedding.c" "$root/examples/embedding.pcm" "$place/work"
cd "$place/work"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    mkdir $compiler
    strict='-Wall -Wextra -Wconversion -Wpedantic -Werror'
    $compiler $strict -shared -fPIC -O2 $(pkg-config --cflags pcm-plugin) LinearSpring.c -o $compiler/LinearSpring.so
    $compiler $strict embedding.c -o $compiler/embedding $(pkg-config --cflags --libs pcm) -Wl,-rpath,"$libraries"

    # Uses its own plugin through the plugin path, together with the installed ones.
    echo 'ContactType C = LinearSpring { Stiffness = 2e4; }; DefaultPair -> C;' >spring.pcm
    PCM_PLUGIN_PATH=$PWD/$compiler "$command" check spring.pcm
    PCM_PLUGIN_PATH=$PWD/$compiler "$command" models | grep -q LinearSpring
    "$command" check embedding.pcm 2>told
    [ ! -s told ] || { cat told; exit 1; }
    "$command" models LinearSpring 2>refusal && { echo 'LinearSpring was found without a path to it'; exit 1; }
    grep -q 'LinearSpring' refusal

    # The files were never written to the prefix, so the installed library does not find its plugins by itself.
    PCM_PLUGIN_PATH=$libraries/pcm/plugins $compiler/embedding embedding.pcm >table
    [ "$(wc -l <table)" -eq 6 ]
done
