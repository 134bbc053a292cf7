#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: scripts.sh ROOT
#
# What scripts/needs, setup and test do with their words, without installing or building anything.
set -u
cd "$1" || exit 1
failed=0
complain() {
    echo "$1"
    failed=1
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Several words, separated by spaces or commas, select the needs of each of them.
for word in '' cvode lammps; do
    scripts/needs --list $word | sort >"$folder/list$word"
done
sort -u "$folder/listcvode" "$folder/listlammps" >"$folder/both"
grep -q ' libsundials-dev$' "$folder/listcvode" || complain 'needs: cvode does not ask for SUNDIALS'
grep -q ' liblammps-dev$' "$folder/listlammps" || complain 'needs: lammps does not ask for LAMMPS'
grep -qE 'libsundials-dev|liblammps-dev' "$folder/list" && complain 'needs: without a word it asks for SUNDIALS or LAMMPS'
for words in 'cvode lammps' 'cvode,lammps' 'lammps, cvode'; do
    scripts/needs --list "$words" | sort | diff "$folder/both" - || complain "needs: '$words' is not cvode and lammps"
done
scripts/needs --list cvode lammps | sort | diff "$folder/both" - || complain 'needs: of two arguments one is lost'

# An unknown word is an error that lists the words; so is one that is a pattern.
for words in 'cvode lamps' lamps build '*'; do
    said=$(scripts/needs --list "$words" 2>&1 >"$folder/out")
    status=$?
    [ $status -eq 2 ] && [ ! -s "$folder/out" ] || complain "needs: '$words' is no error"
    for word in all bench cvode deb lammps pages python test; do
        case " $said " in *" $word "*) ;; *) complain "needs: the message on '$words' does not list $word: $said" ;; esac
        grep -q "^#   $word " scripts/needs || complain "needs: its head does not describe $word"
    done
done
NEEDS='cvode lamps' scripts/setup "$folder/build" >"$folder/out" 2>&1 && complain 'setup: an unknown word is no error'
grep -q "unknown word 'lamps'" "$folder/out" && [ ! -e "$folder/build" ] || complain 'setup: an unknown word is no error'

# On a machine without meson, gcc and apt-get there is one message, and no error output of the commands that look for
# them.
mkdir "$folder/bin"
for command in sh awk cat grep id sed sort tr; do
    ln -s "$(command -v $command)" "$folder/bin/$command"
done
PATH=$folder/bin scripts/needs python >"$folder/out" 2>&1 && complain 'needs: a bare machine lacks nothing'
sed -n 1p "$folder/out" | grep -q '^needs: no apt-get here' && ! sed 1d "$folder/out" | grep -v '^  the ' ||
    complain "needs: on a bare machine it says: $(cat "$folder/out")"
grep -q 'the command meson' "$folder/out" || complain 'needs: a bare machine does not lack meson'

# scripts/test accepts one word.
for words in every 'all all' "''"; do
    said=$(eval "scripts/test $words" 2>&1)
    [ $? -eq 2 ] && [ "$said" = 'usage: scripts/test [all]' ] || complain "test: on $words it says: $said"
done
exit $failed
