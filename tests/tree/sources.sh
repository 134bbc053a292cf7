#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: sources.sh ROOT
#
# What holds for every source file: a licence line, a size that one sitting can read, nothing left for later. And each test
# is run, each public header installed.
set -u
here=$(dirname "$0")
. "$here/files.sh"
failed=0
complain() {
    echo "$1"
    failed=1
}

sources=$(tree_files '*.[chly]' '*.build' '*.sh' '*.js' '*.css' 'scripts/*' '.ci/*')
for file in $sources; do
    [ "$(wc -l <"$file")" -le 800 ] || complain "$file: more than 800 lines"
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: MIT' || complain "$file: no licence line"
done
# The words are split here so that this file does not contain them.
grep -nE 'TO''DO|FIX''ME|\bX''XX\b|HA''CK' $sources && complain 'unfinished'

library=$(tree_files 'core/*.[ch]' 'grammar/*.[chly]' 'cones/*.[ch]' 'geometry/*.[ch]' 'replay/*.[ch]' 'hosts/*.[ch]' 'plugins/*.c')
# Flex's code uses stdout; lexer.l removes it.
grep -nE '\b(stdout|stderr)\b|\b(printf|puts|exit|abort|assert)\(' $library |
    grep -vE ':# ?(undef|define) std' && complain 'the library prints, exits or aborts'

# The user's environment must not choose which code a program with more rights loads.
grep -nE '\bgetenv\(' $library $(tree_files 'tools/*.[ch]') && complain 'the environment is asked with secure_getenv'

grep -nE 'if \(status\)|& ~PCM_FIXED_SIDE' $library | grep -v 'pcm_side_object(uint32_t' &&
    complain 'a status is compared with PCM_OK; the object of a side is pcm_side_object'

for test in tests/*/test_*.c tests/*/*/test_*.c tests/tools/transcripts/*.txt tests/tools/reference/*.txt; do
    name=$(basename "$test" | sed 's/^test_//; s/\.[a-z]*$//')
    cat "$(echo "$test" | cut -d/ -f1,2)/meson.build" "$(dirname "$test")/meson.build" 2>/dev/null |
        grep -qE "'(test_)?$name(\.c)?'|'${name#mujoco_}'" || complain "$test: no meson.build names it"
done

for header in include/pcm/*.h; do
    awk '/install_headers\(|_headers = / { inside = 1 } inside; /\)/ { inside = 0 }' $(tree_files '*meson.build') |
        grep -qF "pcm/${header##*/}'" || complain "$header: no install_headers names it"
done
exit $failed
