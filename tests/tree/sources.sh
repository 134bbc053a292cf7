#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: sources.sh ROOT
#
# What holds for every source file: a licence line, a size that one sitting can read, nothing left for later.
set -u
here=$(dirname "$0")
. "$here/files.sh"
failed=0
complain() {
    echo "$1"
    failed=1
}

sources=$(tree_files '*.[chly]' '*.build' '*.sh' 'scripts/*' '.ci/*')
for file in $sources; do
    [ "$(wc -l <"$file")" -le 800 ] || complain "$file: more than 800 lines"
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: MIT' || complain "$file: no licence line"
done
# The words are spelt so that this file does not hold them.
grep -nE 'TO''DO|FIX''ME|\bX''XX\b|HA''CK' $sources && complain 'unfinished'

library=$(tree_files 'core/*.[ch]' 'grammar/*.[chly]' 'cones/*.[ch]' 'geometry/*.[ch]' 'hosts/*.[ch]' 'plugins/*.c')
# Flex names stdout; lexer.l takes it away.
grep -nE '\b(stdout|stderr)\b|\b(printf|puts|exit|abort|assert)\(' $library |
    grep -vE ':# ?(undef|define) std' && complain 'the library prints, exits or aborts'
exit $failed
