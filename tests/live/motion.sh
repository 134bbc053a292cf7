#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: motion.sh ROOT BUILD
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node "$1/tests/live/motion.mjs" "$1" "$2" "$work"
