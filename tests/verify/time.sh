#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: time.sh PCM PLUGINS LAWS
#
# Time makes no finding: a search that the machine stops for longer than it may last finds nothing in a sound law. A law
# that waits without end is told.
set -u
pcm=$1
plugins=$2
laws=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
complain() {
    echo "$1"
    cat "$2"
    failed=1
}
"$pcm" verify Waits --plugins "$laws" --budget 0.1 --out "$folder" >"$folder/waits" 2>&1 &
waits=$!
setsid "$pcm" verify ParallelBond --plugins "$plugins" --budget 2 --out "$folder" >"$folder/stopped" 2>&1 &
stopped=$!
sleep 1 # one of the four seconds that it takes
env kill -s STOP -- "-$stopped" || complain 'it ended before it was stopped' "$folder/stopped"
sleep 24
env kill -s CONT -- "-$stopped"
wait $stopped || complain 'a sound law is wrong after a stop' "$folder/stopped"
wait $waits && complain 'a law that waits is not found' "$folder/waits"
grep -q 'it waited for something' "$folder/waits" || complain 'nothing says that it waits' "$folder/waits"
exit $failed
