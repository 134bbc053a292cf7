#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: old_hosts.sh ROOT BUILD
#
# The first library of each minor version of the plugin interface, built from the history. Today's laws on it: each loads
# there, or is rejected by the message that says to update PCM. Nothing of a rejected law runs. And its own tests, hosts
# that were built with its headers, with the laws of that time on today's library. Needs git, the history and cmocka.
set -eu
root=$1 plugins=$2/plugins library=$2/core
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
major=$(sed -n 's/#define PCM_ABI_MAJOR \([0-9]*\)u.*/\1/p' "$root/include/pcm/plugin.h")
minor=$(sed -n 's/#define PCM_ABI_MINOR \([0-9]*\)u.*/\1/p' "$root/include/pcm/plugin.h")

# The first commit whose header has that minor version of this major version.
first_of() {
    git -C "$root" log --format=%H -- include/pcm/plugin.h | while read -r commit; do
        git -C "$root" show "$commit:include/pcm/plugin.h" | tr -s ' ' | grep -q "define PCM_ABI_MAJOR ${major}u" &&
            git -C "$root" show "$commit:include/pcm/plugin.h" | tr -s ' ' | grep -q "define PCM_ABI_MINOR $1u" &&
            echo "$commit"
    done | tail -1
}

# Tests whose expectations have changed since: texts of messages, new messages, columns of logs, a struct whose unknown
# end is now known, calls that are rejected in the wrong order, and where memory is allocated.
changed='another_version_of_a_law_is_refused|what_does_not_go_together_is_an_error|resumed_worlds_go_on_bit_for_bit'
changed="$changed|without_memory_nothing_changes|contacts_that_end_inside_are_told|rows_say_what_happened"
changed="$changed|rows_hold_what_is_sensed|entries_of_arrays_may_be_larger|tried_states_are_the_hosts"
changed="$changed|every_allocation_may_fail"

# Runs the tests of an old build with the current library.
hold_hosts() {
    passed=0
    (cd "$1" && ninja -t targets all) | sed -n 's,^\(tests/core/[a-z/]*test_[a-z_]*\|tests/core/[A-Za-z/]*\.so\):.*,\1,p' \
        >"$work/targets"
    xargs ninja -C "$1" >/dev/null <"$work/targets"
    for program in $(grep 'test_' "$work/targets"); do
        readelf -d "$1/$program" | grep -q 'NEEDED.*libpcm\.so' || continue
        (cd "$1" && LD_LIBRARY_PATH=$library "$program") >"$work/told" 2>&1 || true
        failed=$(sed -n 's/^\[  FAILED  \] \([a-z_]*\)$/\1/p' "$work/told" | grep -Exv "$changed" || true)
        if [ -n "$failed" ] || ! grep -q '^\[==========\] .* run' "$work/told"; then
            echo "old_hosts: $program of $old on today's library:" >&2
            cat "$work/told" >&2
            exit 1
        fi
        passed=$((passed + $(grep -c '^\[       OK \]' "$work/told" || true)))
    done
    [ "$passed" -gt 50 ] || { echo "old_hosts: only $passed tests of $old ran" >&2; exit 1; }
}

for old in $(seq 0 "$minor"); do
    commit=$(first_of "$old")
    [ -n "$commit" ] || { echo "old_hosts: the history has no interface $major.$old" >&2; exit 1; }
    mkdir "$work/$old"
    git -C "$root" archive "$commit" | tar -x -C "$work/$old"
    meson setup "$work/$old/build" "$work/$old" -Dauto_features=disabled -Dtests=enabled -Dbench=false \
        >/dev/null
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
    hold_hosts "$work/$old/build"
    echo "interface $major.$old: $loaded laws load, $rejected are told to need a newer PCM;" \
        "$passed tests of its hosts pass with today's library"
done
