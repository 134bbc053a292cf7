#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: rule_mutations.sh ROOT BUILD COUNT [FIRST]
#
# Makes a small slip in the code that finds the rule of a pair, one in each of so many copies, and runs the tests of rules
# and of configurations with it. Prints each slip that they do not see. Where the compiler finds a slip, it is left out.
set -u
root=$1
build=$2
count=$3
first=${4:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$build" || exit 1
tests='core/test_rules core/test_config configs/test_bad'
files='core/config/rules.c core/config/pattern.c core/config/surfaces.c'

# The build's command that makes a file.
command_for() { ninja -t commands "$1" | tail -1; }

# Links the tests with the changed object; the linker takes it instead of the library's, since it comes first.
linked() {
    for test in $tests; do
        eval "$(command_for "tests/$test" | sed "s,-o tests/$test ,-o '$folder/${test#*/}' '$folder/slip.o' ,")" || return 1
    done
}
holds() {
    for test in $tests; do
        (cd "$folder" && timeout 20 "./${test#*/}" >/dev/null 2>&1) || return 1
    done
}

slips=0 found=0 number=$first
while [ "$number" -lt $((first + count)) ]; do
    file=$(echo "$files" | cut -d ' ' -f $((number % 3 + 1)))
    [ $((number % 6)) -lt 3 ] || file=core/config/rules.c # twice as often, since it is the longest
    said=$("$build/tests/verify/mutate" "$root/$file" "$number" questions 2>&1 >"$folder/slip.c")
    number=$((number + 1))
    object=core/config/libpcm_config.a.p/$(basename "$file").o
    compile=$(command_for "$object" | sed "s, -M[DQF].*, ,")
    eval "$compile -w -O0 -I'$root/core/config' -o '$folder/slip.o' -c '$folder/slip.c'" >/dev/null 2>&1 || continue
    linked || { echo "rule_mutations: the tests are not linked"; exit 1; }
    slips=$((slips + 1))
    if holds; then
        echo "not found: $file, number $((number - 1)), $said"
    else
        found=$((found + 1))
    fi
done
echo "$found of $slips slips in the finding of rules are found, $((100 * found / slips)) %"
