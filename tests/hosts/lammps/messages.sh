#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: messages.sh ROOT BUILD FOLDER
#
# What a rank sends does not grow with the number of ranks, and is in a step what it is with LAMMPS's own style.
. "$(dirname "$0")/lammps.sh"
sh "$root/bench/messages.sh" "$build" 6 8 12 >table || { cat table; exit 1; }
cat table
# cell RANKS STYLE COLUMN
cell() { awk -F' [|] ' -v ranks="$1" -v style="$2" -v k="$3" '{ sub(/^[|] /, ""); sub(/ [|]$/, "") } $1 == ranks && $2 == style { print $k }' table; }
# same WHAT A B: two cells hold the same number, which is not 0.
same() { [ "$2" = "$3" ] && [ "${2:-0}" != 0 ] || complain "$1: $2 and $3"; }
for k in 3 4 5; do
    same "column $k, native on 8 and 12 ranks" "$(cell 8 native $k)" "$(cell 12 native $k)"
    same "column $k, 8 ranks, native and PCM" "$(cell 8 native $k)" "$(cell 8 pcm $k)"
    same "column $k, 12 ranks, native and PCM" "$(cell 12 native $k)" "$(cell 12 pcm $k)"
done
same 'messages: one to each side' "$(cell 12 pcm 3)" 6
same 'messages of a rebuild' "$(cell 12 native 6)" "$(cell 12 pcm 6)"
same 'collectives of a rebuild' "$(cell 8 pcm 8)" "$(cell 12 pcm 8)"
# Contacts take more bytes of a rebuild with PCM, about a third, as they have more numbers than LAMMPS's.
awk -v a="$(cell 12 native 7)" -v b="$(cell 12 pcm 7)" 'BEGIN { exit !(b > a && b < 1.5 * a) }' || complain 'bytes of a rebuild'
exit $failed
