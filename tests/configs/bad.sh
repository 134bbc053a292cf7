#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: bad.sh PCM ROOT SPECIMENS PLUGINS
#
# `pcm check` on every file of configs/bad: standard error is the .err file beside it, byte for byte but for where plugins
# are searched; the exit status is exactly 1, or 0 where there are only warnings.
set -u
pcm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$2/configs/bad" || exit 1
PCM_PLUGIN_PATH=$3
export PCM_PLUGIN_PATH
failed=0
for file in *.pcm; do
    expected=${file%.pcm}.err
    said=$("$pcm" check "$file" 2>&1 >/dev/null; echo "status $?")
    status=0
    ! grep -q ': error: ' "$expected" || status=1
    said=$(echo "$said" | sed -e "s|$3, $4|PLUGINS|g" -e "s|$3|PLUGINS|g")
    if [ "$said" != "$(cat "$expected"; echo "status $status")" ]; then
        printf '%s says\n%s\n' "$file" "$said"
        failed=1
    fi
done
exit $failed
