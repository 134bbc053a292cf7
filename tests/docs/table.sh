#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: table.sh ROOT BUILD
#
# The page of the laws side by side is what `docs/laws/table BUILD` measures, but for the times, of which each law has
# one, at most twice its limit.
set -u
page=$1/docs/laws/table.md
failed=0
"$1/docs/laws/table" --check "$2" || failed=1
for plugin in "$1"/plugins/*.c; do
    law=$(basename "$plugin" .c)
    grep -qF "| [$law](" "$page" || grep -q PCM_HOST_CONTACT "$plugin" || { echo "$law has no row"; failed=1; }
done
awk -F'|' '/^\| \[/ && $11 !~ /^ [0-9.]+ $/ { print "no time of" $2; failed = 1 } END { exit failed }' "$page" || failed=1
awk -F'|' '/^\| \[/ && $10 !~ /^ gcc, clang $/ { print "not packed:" $2; failed = 1 } END { exit failed }' "$page" || failed=1
awk -F'|' '/^\| \[/ && ($12 !~ /^ [0-9.]+ $/ || $12 > 2) { print "above twice its limit:" $2; failed = 1 } END { exit failed }' "$page" || failed=1
exit $failed
