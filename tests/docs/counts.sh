#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: counts.sh ROOT BUILD
#
# Numbers that pages state and that no command on the page prints: how many laws there are, the limits of the language,
# and that some page names each option of each command.
set -u
root=$1
pcm=$2/tools/pcm
PCM_PLUGIN_PATH=$2/plugins
export PCM_PLUGIN_PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
wrong() { echo "$1"; failed=1; }

# holds COUNT WORDS FILE...: checks that each file says "COUNT WORDS".
holds() {
    said="$1 $2"
    shift 2
    for file; do
        tr '\n' ' ' <"$root/$file" | grep -q "$said" || wrong "$file does not say '$said'"
    done
}
laws=$(grep -L PCM_HOST_CONTACT "$root"/plugins/*.c | wc -l)
holds "$laws" laws CHANGELOG.md docs/explore.md

# Every law's page says where it holds.
# shellcheck disable=SC2046
unsaid=$(grep -L 'Holds ' $(grep -L PCM_HOST_CONTACT "$root"/plugins/*.c))
[ -z "$unsaid" ] || wrong "no line 'Holds ...' in $unsaid"

# docs/choosing.md gives the same number of states for friction laws as docs/laws/table.md, which a test compares with
# the laws.
awk -F'|' '
    FNR == NR { if (match($2, /\[[A-Za-z]+\]/)) states[substr($2, RSTART + 1, RLENGTH - 2)] = $6 + 0; next }
    /^\| you want/ { inside = 1 }
    inside && /^$/ { exit }
    inside && $4 ~ /[0-9]/ {
        rows++
        n = split($4, said, ",")
        rest = $3
        for (i = 1; i <= n && match(rest, /\[[A-Za-z]+\]/); i++) {
            law = substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
            if (states[law] != said[i] + 0) { print "docs/choosing.md: " law " has " states[law] " states"; bad = 1 }
        }
    }
    END { exit bad || rows < 8 }' "$root/docs/laws/table.md" "$root/docs/choosing.md" || failed=1

# reads EXPRESSION: succeeds unless the expression is nested too deeply or too long.
reads() {
    printf 'ContactType A = SpringContact { K = %s; };\nDefaultPair -> A;\n' "$1" >"$folder/a.pcm"
    ! "$pcm" check "$folder/a.pcm" 2>&1 | grep -q 'PCM-10[89]'
}
# nested OPEN COUNT: that many nested parentheses, each preceded by OPEN.
nested() { awk -v open="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s(", open; printf 1; for (i = 0; i < n; i++) printf ")" }'; }
reads "$(nested '' 388)" || wrong 'docs/language.md: 388 parentheses are too many'
reads "$(nested '' 389)" && wrong 'docs/language.md: 389 parentheses are not too many'
reads "$(nested '1+2*-3^' 48)" || wrong 'docs/language.md: 48 parentheses between operators are too many'
reads "$(nested '1+2*3^sqrt' 48)" || wrong 'docs/language.md: 48 roots are too many'

# names LENGTH: succeeds if a quoted text of that many bytes, quotes included, can be read.
names() {
    awk -v n="$1" 'BEGIN { printf "ContactType A = SpringContact { LogFile = \""; for (i = 2; i < n; i++) printf "a"; print "\"; };"; print "DefaultPair -> A;" }' >"$folder/a.pcm"
    ! "$pcm" check "$folder/a.pcm" 2>&1 | grep -q 'PCM-108'
}
names 65000 || wrong 'docs/language.md: a text of 65,000 bytes is too long'
names 65001 && wrong 'docs/language.md: a text of 65,001 bytes is not too long'

pages=$(ls "$root"/docs/*.md | grep -v -e /messages.md -e /api.md)
for command in $("$pcm" --help | sed -n '/^commands:/,/^$/s/^  \([^ ]*\).*/\1/p'); do
    for option in $("$pcm" "$command" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        # shellcheck disable=SC2086
        grep -qE -- "$option([^a-z-]|\$)" $pages "$root/README.md" || wrong "no page names $option of pcm $command"
    done
done

# `pcm verify --help` lists each check.
checks=$("$pcm" verify KelvinVoigt --budget 0.01 | awk 'NR > 1 && NF > 3 && $1 ~ /^[a-z-]+$/ { print $1 }')
[ "$(echo "$checks" | wc -l)" -gt 20 ] || wrong 'pcm verify lists no checks'
for check in $checks; do
    "$pcm" verify --help | grep -q "^  $check " || wrong "pcm verify --help does not list $check"
done
exit $failed
