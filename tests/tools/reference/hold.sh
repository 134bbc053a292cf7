#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: hold.sh SPECIFICATION TABLES BUILD
#
# Puts the rows of a table of tests/reference on the rig, through the command line, and compares.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
awk -f "$here/make.awk" "$1" "$2/$(awk '$1 == "table" { print $2 }' "$1")"
"$3/tools/pcm" rig rows.pcm --motion motion.csv --trial --out forces.csv
awk -f "$here/compare.awk" "$1" expected.csv forces.csv
