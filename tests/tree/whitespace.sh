#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: whitespace.sh ROOT
#
# Text is as .editorconfig says: no blanks at the end of a line, no tabs, no carriage returns, a newline at the end.
set -u
here=$(dirname "$0")
. "$here/files.sh"
failed=0
tab=$(printf '\t')
return=$(printf '\r')

# configs/bad has files that are broken on purpose, and configs/rise.pcm is the file of 2004; reference data keeps its
# original bytes.
for file in $(tree_files '*.[chly]' '*.build' '*.md' '*.pcm' '*.xml' '*.sh' '*.txt' 'scripts/*' '.ci/*' |
    grep -v -e '^configs/bad/' -e '^configs/rise.pcm' -e '^tests/reference/'); do
    if grep -Hn -e '[[:blank:]]$' -e "$tab" -e "$return" "$file" || [ -n "$(tail -c 1 "$file")" ]; then
        echo "$file: blanks at a line's end, tabs, carriage returns or no final newline"
        failed=1
    fi
done
exit $failed
