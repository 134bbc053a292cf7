#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: mutations.sh ROOT BUILD COUNT SHARE [FIRST [BUDGET [LAW...]]]
#
# Makes small slips in these shipped laws, one in each of so many copies, and asks `pcm verify` about each. `wholes` are
# all laws that act alone, `parts` all that need another before them; on the rig Hertz stands before a part. Of the slips
# that change any result at least SHARE percent must be found. What is not found is left out where the rig shows no
# change, or the law itself with one parameter doubled, halved or 0: that is a sound law. So is what does not compile.
# Findings that known.txt lists for the law as it is shipped do not count.
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

# Some contacts that press, drag, spin and part, with columns of every motion and of that amount of both objects.
motion() {
    awk -v amount="$1" 'BEGIN {
        srand(7)
        print "t,depth,depth_rate,slip_x,slip_y,spin_x,spin_y,spin_n,x,y,z,velocity_x,velocity_y,velocity_z," \
              "radius,mass,area,share,fresh,base_spin_x,base_spin_y,base_spin_n,follower_spin_x,follower_spin_y," \
              "follower_spin_n,base_axis_x,base_axis_y,base_axis_n,follower_axis_x,follower_axis_y,follower_axis_n," \
              "input_n,input_x,input_y" (amount ? "," amount "_base," amount "_follower" : "")
        for (i = 0; i < 400; i++) {
            depth = 1e-3 * sin(i / 9) * (1 + rand()); rate = 0.5 * (rand() - 0.5)
            vx = 0.2 * cos(i / 5) * (i % 20 != 0); vy = 0.2 * (rand() - 0.5) * (i % 20 != 0)
            print i * 1e-3 "," depth "," rate "," vx "," vy "," rand() "," rand() - 1 "," rand() - 0.5 "," \
                  1e-3 * sin(i / 7) "," 1e-3 * rand() "," (-depth) "," vx "," vy "," (-rate) ",0.02,0.1," \
                  "1e-4,1," (i < 200) ",0,1,0," vx ",2," vy ",0.6,0,0.8,0,0.8,0.6,0,0,0" (amount ? ",300,310" : "")
        }
    }'
}
settings() {
    case $1 in WallContact) echo 'GapLeft = (0) [mm]; GapRight = (1) [mm];' ;; esac
}
is_part() { grep -qE 'PCM_LOAD|PCM_CONTACT_RADIUS|PCM_LOSS' "$root/plugins/$1.c"; }
before() {
    if grep -q PCM_LOSS "$root/plugins/$1.c"; then echo 'Hertz + CoulombRegularised + '; elif is_part "$1"; then echo 'Hertz + '; fi
}
# Prints the law's events with their directions: "touch-down:1 release:-1".
events() {
    "$pcm" models "$1" --json --plugins "$2" 2>/dev/null |
        awk -F'"' '/^  "/ { in_events = $2 == "events" } !in_events { next }
            $2 == "name" { name = $4 } $2 == "direction" { gsub(/[: ,]/, "", $3); printf "%s:%s ", name, $3 }'
}
# Prints the results on the rig of the law from that folder, with that setting and otherwise default parameters. An
# indicator is reduced to its sign or, if its event has no direction, to whether it is zero.
answers() {
    echo "ContactType T = $(before "$1")$1 { $(settings "$1") ${3-} }; DefaultPair -> T;" >"$folder/law.pcm"
    amount=$(sed -n 's/.*{\.name = "\(temperature\|worn\)".*/\1/p' "$root/plugins/$1.c")
    timeout 20 "$pcm" rig "$folder/law.pcm" --motion "$folder/motion-$amount.csv" --plugins "$2:$build/plugins" 2>/dev/null |
        awk -F, -v OFS=, -v events="$(events "$1" "$2")" '
            NR == 1 { n = split(events, list, " "); for (i = 1; i <= n; i++) { split(list[i], e, ":"); way[e[1]] = e[2] }
                      for (k = 1; k <= NF; k++) if ($k in way) direction[k] = way[$k] }
            NR > 1 { for (k in direction) $k = $k == 0 ? 0 : direction[k] == 0 || $k > 0 ? 1 : -1 }
            { print }'
}
# The law's parameters with twice and half of their defaults, and 0, one setting a line.
other_values() {
    "$pcm" models "$1" --json --plugins "$build/plugins" 2>/dev/null |
        awk -F'"' -v law="$1" '/^  "/ { inside = $2 == "parameters" } !inside { next }
            $2 == "name" { name = $4 } $2 == "kind" { real = $4 == "real" } $2 == "unit" { unit = $4 }
            $2 == "default" { gsub(/[: ,]/, "", $3)
                for (f = 2; real && $3 + 0 != 0 && unit !~ /\^[A-Z]/ && f >= 0; f = f > 1 ? 0.5 : f > 0 ? 0 : -1)
                    printf "%s.%s = %.17g [%s];\n", law, name, f * $3, unit }'
}
# Whether the copy answers as the law does with another value of a parameter.
is_other_value() {
    is=$(answers "$1" "$folder/mutant")
    other_values "$1" | while read -r setting; do
        is_part "$1" || setting=${setting#"$1".}
        [ "$is" != "$(answers "$1" "$build/plugins" "$setting")" ] || { echo same; break; }
    done | grep -q same
}
checked() {
    case $1 in
        WallContact) set -- "$@" --set LiteralSeed=false ;;
        GranHooke | GranHertz) set -- "$@" --set LimitDamping=true ;;
        CundallStrack | RollingResistance) set -- "$@" --set AsLammps=false ;;
    esac
    shift
    timeout 600 "$pcm" verify "$@" --budget "$budget" --out "$folder/out"
}

for amount in '' temperature worn; do motion "$amount" >"$folder/motion-$amount.csv"; done
mkdir "$folder/mutant"
cp "$root"/plugins/*.h "$folder/mutant"
shift $(($# < 6 ? $# : 6))
all=$(cd "$root/plugins" && grep -L PCM_HOST_CONTACT [A-Z]*.c | sed 's/\.c$//')
case ${1-wholes} in
    wholes) set -- $(for law in $all; do is_part $law || echo $law; done) ;;
    parts) set -- $(for law in $all; do is_part $law && echo $law; done) ;;
esac
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
    known=$(sed -n "s/^$law: *\([^#]*\).*/\1/p" "$root/tests/verify/known.txt")
    fresh=$(for check in $(awk '$2 == "FOUND" { print $1 }' "$folder/said"); do
        echo " $known " | grep -q " $check " || echo "$check"
    done)
    [ $status -le 1 ] || { cat "$folder/said"; echo "number $((number - 1)): exit status $status"; exit 1; }
    if [ -n "$fresh" ] || { [ $status -ne 0 ] && [ -z "$known" ]; }; then
        found=$((found + 1))
    elif [ "$(answers "$law" "$folder/mutant")" = "$(answers "$law" "$build/plugins")" ]; then
        continue
    elif is_other_value "$law"; then
        continue
    else
        echo "not found: $law, number $((number - 1)), $said"
    fi
    changed=$((changed + 1))
done
[ $changed -gt 0 ] || { echo 'no slip changed a result'; exit 1; }
echo "$found of $changed slips that change a result are found, $((100 * found / changed)) %"
[ $((100 * found)) -ge $((share * changed)) ]
