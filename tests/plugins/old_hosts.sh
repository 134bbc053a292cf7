#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: old_hosts.sh ROOT BUILD
#
# Today's laws on the first library of each minor version of the plugin interface, built from the history: each loads
# there, or is rejected by the message that says to update PCM. Nothing of a rejected law runs. Needs git and the history.
set -eu
root=$1 plugins=$2/plugins
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
major=$(sed -n 's/#define PCM_ABI_MAJOR \([0-9]*\)u.*/\1/p' "$root/include/pcm/plugin.h")
minor=$(sed -n 's/#define PCM_ABI_MINOR \([0-9]*\)u.*/\1/p' "$root/include/pcm/plugin.h")

# The first commit whose header has that number of this major version.
first_of() {
    git -C "$root" log --format=%H -- include/pcm/plugin.h | while read -r commit; do
        git -C "$root" show "$commit:include/pcm/plugin.h" | tr -s ' ' | grep -q "define PCM_ABI_MAJOR ${major}u" &&
            git -C "$root" show "$commit:include/pcm/plugin.h" | tr -s ' ' | grep -q "define PCM_ABI_MINOR $1u" &&
            echo "$commit"
    done | tail -1
}

for old in $(seq 0 "$minor"); do
    commit=$(first_of "$old")
    [ -n "$commit" ] || { echo "old_hosts: the history has no interface $major.$old" >&2; exit 1; }
    mkdir "$work/$old"
    git -C "$root" archive "$commit" | tar -x -C "$work/$old"
    meson setup "$work/$old/build" "$work/$old" -Dauto_features=disabled -Dbench=false >/dev/null
    ninja -C "$work/$old/build" tools/pcm >/dev/null
    loaded=0 rejected=0
    for law in "$plugins"/*.so; do
        name=$(basename "$law" .so)
        if PCM_PLUGIN_PATH=$plugins "$work/$old/build/tools/pcm" models "$name" >"$work/told" 2>&1; then
            loaded=$((loaded + 1))
        elif grep -q 'update PCM \[PCM-31[02]\]' "$work/told"; then
            rejected=$((rejected + 1))
        else
            echo "old_hosts: $name on $major.$old ($commit):" >&2
            cat "$work/told" >&2
            exit 1
        fi
    done
    echo "interface $major.$old: $loaded laws load, $rejected are told to need a newer PCM"
done
