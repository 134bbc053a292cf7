#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: mutations.sh ROOT BUILD COUNT SHARE [FIRST [BUDGET [LAW...]]]
#
# Makes small slips in these shipped laws, or in all that the rig takes by default, one in each of so many copies, and asks `pcm verify` about each. Of those which
# change any result, at least SHARE percent must be found. What changes nothing that the rig shows, and nothing that is
# found, is left out, and so is what does not compile.
set -u
root=$1
build=$2
count=$3
share=$4
first=${5:-1}
budget=${6:-1}
pcm=$build/tools/pcm
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PKG_CONFIG_PATH="$build/meson-uninstalled"

# Some contacts that press, drag, spin and part: columns of every motion.
motion() {
    awk 'BEGIN {
        srand(7)
        print "t,depth,depth_rate,slip_x,slip_y,spin_x,spin_y,spin_n,x,y,z,velocity_x,velocity_y,velocity_z"
        for (i = 0; i < 400; i++) {
            depth = 1e-3 * sin(i / 9) * (1 + rand()); rate = 0.5 * (rand() - 0.5)
            vx = 0.2 * cos(i / 5) * (i % 20 != 0); vy = 0.2 * (rand() - 0.5) * (i % 20 != 0)
            print i * 1e-3 "," depth "," rate "," vx "," vy "," rand() "," rand() - 1 "," rand() - 0.5 "," \
                  1e-3 * sin(i / 7) "," 1e-3 * rand() "," (-depth) "," vx "," vy "," (-rate)
        }
    }'
}
settings() {
    case $1 in WallContact) echo 'GapLeft = (0) [mm]; GapRight = (1) [mm];' ;; esac
}
# "touch-down:1 release:-1": the law's events with their directions.
events() {
    "$pcm" models "$1" --json --plugins "$2" 2>/dev/null |
        awk -F'"' '/^  "/ { in_events = $2 == "events" } !in_events { next }
            $2 == "name" { name = $4 } $2 == "direction" { gsub(/[: ,]/, "", $3); printf "%s:%s ", name, $3 }'
}
# What the law of that folder answers on the rig, with its default parameters. What an indicator says is its sign, or,
# where its event happens either way, that it is not zero.
answers() {
    echo "ContactType T = $1 { $(settings "$1") }; DefaultPair -> T;" >"$folder/law.pcm"
    timeout 20 "$pcm" rig "$folder/law.pcm" --motion "$folder/motion.csv" --plugins "$2" 2>/dev/null |
        awk -F, -v OFS=, -v events="$(events "$1" "$2")" '
            NR == 1 { n = split(events, list, " "); for (i = 1; i <= n; i++) { split(list[i], e, ":"); way[e[1]] = e[2] }
                      for (k = 1; k <= NF; k++) if ($k in way) direction[k] = way[$k] }
            NR > 1 { for (k in direction) $k = $k == 0 ? 0 : direction[k] == 0 || $k > 0 ? 1 : -1 }
            { print }'
}
checked() {
    case $1 in WallContact) set -- "$@" --set LiteralSeed=false ;; esac
    shift
    timeout 600 "$pcm" verify "$@" --budget "$budget" --out "$folder/out"
}

motion >"$folder/motion.csv"
mkdir "$folder/mutant"
cp "$root"/plugins/*.h "$folder/mutant"
shift $(($# < 6 ? $# : 6))
[ $# -gt 0 ] || set -- $(cd "$root/plugins" && grep -L PCM_HOST_CONTACT [A-Z]*.c | sed 's/\.c$//')
laws=$(for law; do
    [ "$(answers "$law" "$build/plugins" | wc -l)" -ne 401 ] || echo "$law"
done)
[ -n "$laws" ] || { echo 'the rig answers for no law'; exit 1; }
n_laws=$(echo "$laws" | wc -l)
changed=0 found=0 number=$first
while [ "$number" -lt $((first + count)) ]; do
    law=$(echo "$laws" | sed -n "$((number % n_laws + 1))p")
    said=$("$build/tests/verify/mutate" "$root/plugins/$law.c" "$number" 2>&1 >"$folder/mutant/$law.c")
    number=$((number + 1))
    checked "$law" "$folder/mutant/$law.c" >"$folder/said" 2>&1
    status=$?
    grep -q PCM-820 "$folder/said" && continue
    [ $status -le 1 ] || { cat "$folder/said"; echo "number $((number - 1)): exit status $status"; exit 1; }
    if [ $status -ne 0 ]; then
        found=$((found + 1))
    elif [ "$(answers "$law" "$folder/mutant")" = "$(answers "$law" "$build/plugins")" ]; then
        continue
    else
        echo "not found: $law, number $((number - 1)), $said"
    fi
    changed=$((changed + 1))
done
[ $changed -gt 0 ] || { echo 'no slip changed a result'; exit 1; }
echo "$found of $changed slips that change a result are found, $((100 * found / changed)) %"
[ $((100 * found)) -ge $((share * changed)) ]
