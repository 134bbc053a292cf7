#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: page.sh VERSION PCM [COMMAND]
#
# Writes the page of pcm, or of one of its commands, to standard output. Its text is that of --help.
set -eu
here=$(dirname "$0")
version=$1
pcm=$2
command=${3-}
help=$("$pcm" --help)
commands=$(echo "$help" | sed -n '/^commands:/,/^$/s/^  //p')
status=$(echo "$help" | sed -n 's/^exit status: //p')
if [ -n "$command" ]; then
    summary=$(echo "$commands" | sed -n "s/^$command  *//p")
    others='.BR pcm (1)'
else
    summary=$(echo "$help" | sed -n '3s/\.$//p')
    others=$(echo "$commands" | awk '{ printf "%s.BR pcm-%s (1)", (NR > 1 ? ",\n" : ""), $1 }')
fi
"$pcm" $command --help | awk -v name="pcm${command:+-$command}" -v version="$version" -v summary="$summary" \
    -v status="$status" -v others="$others" -f "$here/page.awk"
