#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: fetch.sh NPM SOURCE BUILD
#
# Puts the libraries of SOURCE/package-lock.json into BUILD/node_modules, unless they are there.
set -eu
cd "$3"
[ -d node_modules ] && cmp -s package-lock.json "$2/package-lock.json" && exit 0
cp "$2/package.json" "$2/package-lock.json" .
# Without a network it gives up at once, and the build goes on without pages.
"$1" ci --ignore-scripts --no-audit --no-fund --loglevel=error --prefer-offline --fetch-retries=0 --fetch-timeout=20000 || { rm -f package-lock.json; exit 1; }
