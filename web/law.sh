#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: law.sh INCLUDE LAW.c OUT.wasm [PACKED]
#
# Compiles a law to a WebAssembly side module, which pages load as programs load shared objects. INCLUDE: where pcm/ is,
# or - for what pkg-config says. PACKED: the same by gzip, as pages hold it. LAW_FLAGS in the environment: more for the
# compiler.
set -eu
flags=-I$1 law=$2 out=$3 packed=${4:-}
[ "$1" != - ] || flags=$(pkg-config --cflags-only-I pcm-plugin)
find() { for name; do command -v "$name" && return; done; return 1; }
missing=
clang=$(find clang-14 clang) || missing="$missing clang-14"
linker=$(find wasm-ld-14 wasm-ld) || missing="$missing lld-14"
[ -d /usr/include/wasm32-wasi ] || missing="$missing wasi-libc"
[ -z "$missing" ] || {
    echo "law.sh: to compile a law for pages, install$missing; Debian: apt-get install$missing" >&2
    exit 1
}
trap 'rm -f "$out.o"' EXIT
# In this clang the WASI target does not know -fPIC. The arithmetic is that of every other build of a law.
"$clang" --target=wasm32-unknown-emscripten -fPIC -fvisibility=hidden -mbulk-memory -O2 -std=gnu17 -nostdlibinc \
    -isystem /usr/include/wasm32-wasi -D__wasi__ $flags -fno-math-errno -fno-trapping-math -ffp-contract=off \
    ${LAW_FLAGS:-} -c "$law" -o "$out.o"
"$linker" -shared --experimental-pic --no-entry --strip-all --export-if-defined=pcm_entry "$out.o" -o "$out"
[ -z "$packed" ] || gzip -9nc "$out" >"$packed"
