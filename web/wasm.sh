#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: wasm.sh MESON SOURCE BUILD [OUT ...]
#
# Builds the source for WebAssembly in the folder BUILD, and copies what has changed of tools/wasm to the OUTs. Without
# them: whether this system can, in words where it cannot.
set -eu
if [ $# -lt 4 ]; then
    for command in clang-14 wasm-ld-14 llvm-ar-14; do
        command -v $command >/dev/null || { echo "$command is not installed"; exit 1; }
    done
    [ -d /usr/include/wasm32-wasi ] || { echo "wasi-libc is not installed"; exit 1; }
    [ -f "$(clang-14 --target=wasm32-wasi -print-libgcc-file-name)" ] || { echo "libclang-rt-14-dev-wasm32 is not installed"; exit 1; }
    exit 0
fi
meson=$1 source=$2 build=$3
shift 3
log=$build.log
# Flags for another target do not belong here: dpkg-buildpackage sets them, and WASI has no stack protector.
unset CFLAGS CPPFLAGS CXXFLAGS LDFLAGS
{
    [ -f "$build/build.ninja" ] || "$meson" setup "$build" "$source" --cross-file "$source/web/wasm32-wasi.ini"
    ninja -C "$build"
} >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
for out; do
    made=$build/tools/wasm/$(basename "$out")
    cmp -s "$made" "$out" || cp "$made" "$out"
done
