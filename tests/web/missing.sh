#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: missing.sh ROOT BUILD
#
# Where a law cannot be compiled for pages, what is missing is named with the line that installs it, and no page is left.
set -eu
root=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
says() {
    grep -F "to compile a law for pages, install$1; Debian: apt-get install$1" "$work/said" || {
        cat "$work/said"
        exit 1
    }
}
PKG_CONFIG_PATH=$build/meson-uninstalled
export PKG_CONFIG_PATH
cp "$root/examples/LinearSpring.c" "$work" # it is compiled next to this file

# Programs that a PATH can hide, one at a time.
while read -r hidden package; do
    rm -rf "$work/bin"
    mkdir "$work/bin"
    ln -s /usr/bin/* "$work/bin"
    rm -f "$work/bin"/$hidden
    if PATH=$work/bin "$build/tools/pcm" explore "$work/LinearSpring.c" --out "$work/page.html" 2>"$work/said"; then
        echo "a page was written without $package"
        exit 1
    fi
    says " $package"
    [ ! -e "$work/page.html" ]
done <<END
clang* clang-14
wasm-ld* lld-14
END

sed 's|/usr/include/wasm32-wasi|/nowhere|' "$root/web/law.sh" >"$work/law.sh"
! sh "$work/law.sh" "$root/include" "$root/plugins/Hertz.c" "$work/law.wasm" 2>"$work/said"
says ' wasi-libc'
[ ! -e "$work/law.wasm" ]
