#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: symbols.sh ROOT BUILD
#
# What the built objects show, want and keep: libpcm exports what its headers declare and plugins pcm_entry; neither
# prints, exits, aborts, touches the locale or reads numbers by it; nothing in them is writable.
set -u
root=$1
build=$2
failed=0
complain() {
    echo "$1"
    failed=1
}

exported() { nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }'; }
wanted() { nm -D --undefined-only "$1" | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }'; }
# Skips the three names that the compiler's start-up code defines.
writable() {
    nm -f sysv "$1" | awk -F '|' '{ gsub(/ /, "") } $7 ~ /^\.t?(data|bss)$/ { print $1 }' |
        grep -vxE '__dso_handle|completed\.[0-9]+|__TMC_END__|_edata|_end|__bss_start'
}

library=$build/core/libpcm.so
[ -f "$library" ] || { echo "no $library"; exit 1; }
exports=$(exported "$library")
for symbol in $exports; do
    grep -qE "PCM_EXPORT .*\\b$symbol\\(" "$root"/include/pcm/*.h || complain "libpcm exports $symbol, which no header declares"
done
for symbol in $(grep -hoE '^PCM_EXPORT [^;]*' "$root"/include/pcm/context.h "$root"/include/pcm/pcm.h | grep -hoE 'pcm_[a-z_0-9]+\(' | tr -d '('); do
    echo "$exports" | grep -qx "$symbol" || complain "pcm.h or context.h declares $symbol, which libpcm lacks"
done
# fesetenv is allowed: it undoes changes by a plugin's start-up code.
for symbol in $(wanted "$library"); do
    case $symbol in
    printf | vprintf | puts | putchar | perror | stdout | stderr | exit | _exit | abort | __assert_fail | \
        setlocale | uselocale | strtod | strtof | strtold | atof | sscanf | fscanf | fesetround | signal)
        complain "libpcm uses $symbol"
        ;;
    esac
done
for symbol in $(writable "$library"); do
    complain "libpcm keeps $symbol in writable memory"
done

plugins=0
for plugin in "$build"/plugins/*.so; do
    [ -f "$plugin" ] || continue
    plugins=$((plugins + 1))
    [ "$(exported "$plugin")" = pcm_entry ] || complain "$plugin exports other than pcm_entry: $(exported "$plugin")"
    for symbol in $(wanted "$plugin"); do
        case $symbol in
        memcpy | memset) ;;
        *) complain "$plugin uses $symbol: laws are arithmetic of their own" ;;
        esac
    done
    for symbol in $(writable "$plugin"); do
        complain "$plugin keeps $symbol in writable memory"
    done
done
[ $plugins -gt 0 ] || complain 'no plugins were built'
exit $failed
