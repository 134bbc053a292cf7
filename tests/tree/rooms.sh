#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: rooms.sh ROOT BUILD
#
# The rooms of core/ are compiled so that none sees a later one: an include that leads there is a compile error. Held here
# are the ways around that: include folders on the compiler's command line, and includes that name a folder.
set -u
root=$1
build=$2
failed=0
complain() {
    echo "$1"
    failed=1
}

later='base plugin config world derivative'
for room in $later; do
    later=${later#"$room"}
    later=${later# }
    commands=$(grep "\"command\": .* -c [^ ]*core/$room/[a-z_]*\.c" "$build/compile_commands.json" | grep -v 'tests/core/')
    [ -n "$commands" ] || complain "core/$room: nothing of it is compiled"
    hidden=$(echo "$later" | sed 's,[a-z][a-z]*,core/&,g')
    [ "$room" = config ] || hidden="$hidden grammar"
    for folder in core $hidden; do
        echo "$commands" | grep -qE -e "-I([^ ]*/)?$folder( |\$)" && complain "core/$room is compiled with the headers of $folder"
    done
done
grep -n '#include "[^"]*/' "$root"/core/*.c "$root"/core/*/*.[ch] "$root"/grammar/*.[chly] &&
    complain 'an include names a folder: headers are included by their names alone'

# The compiler uses the first header of that name.
twice=$(ls "$root"/core/*/*.h "$root"/grammar/*.h | sed 's/.*\///' | sort | uniq -d)
[ -z "$twice" ] || complain "two headers are called $twice"

# docs/design.md lists the files of each room.
for file in "$root"/core/*/*.[ch]; do
    name=$(basename "${file%.*}")
    grep -q "\`$name\(\.h\)\?\`" "$root/docs/design.md" || complain "docs/design.md does not name core/$(basename "$(dirname "$file")")/$name"
done
exit $failed
