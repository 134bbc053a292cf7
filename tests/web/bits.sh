#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: bits.sh ROOT BUILD CONTACTS
#
# Every law answers to that many random contacts with the same bits as native code and as WebAssembly.
set -eu
root=$1 build=$2 contacts=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/empty"
PCM_PLUGIN_PATH=$build/plugins "$build/tests/web/bits" "$contacts" >"$work/native"
node "$root/tests/web/pcm.mjs" "$build/web/bits.wasm" "$build/web/laws" "$work/empty" "$contacts" >"$work/wasm"
[ "$(wc -l <"$work/native")" -ge 40 ]
diff "$work/native" "$work/wasm" && echo "$(wc -l <"$work/native") laws, $contacts contacts each: the same bits"
