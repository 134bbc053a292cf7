#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: transcript.sh TRANSCRIPT BUILD
#
# A transcript holds what is typed, behind "$ ", what that prints on standard output and standard error, and the exit
# status in brackets. The commands are run among the files beside the transcripts; the build's path reads BUILD. Where a
# change is meant, `PCM_UPDATE_GOLDEN=1 meson test` writes the transcripts anew, to be read before they are committed.
set -eu
transcript=$1
build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$(dirname "$transcript")"/../files/* "$folder"
export PATH="$build/tools:$PATH" PCM_PLUGIN_PATH="$build/tests/tools"

grep '^\$ ' "$transcript" | cut -c3- | while IFS= read -r typed; do
    printf '$ %s\n' "$typed"
    status=0
    printed=$(cd "$folder" && eval "$typed" 2>&1 </dev/null) || status=$?
    [ -z "$printed" ] || printf '%s\n' "$printed"
    printf '[%s]\n\n' $status
done | sed "s|$build|BUILD|g" >"$folder/.now"
[ -s "$folder/.now" ] || { echo "$transcript: nothing is typed"; exit 1; }
[ -z "${PCM_UPDATE_GOLDEN-}" ] || cp "$folder/.now" "$transcript"
diff -u "$transcript" "$folder/.now"
