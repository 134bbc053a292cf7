#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: shipped.sh ROOT PCM PLUGINS LinearSpring.so
#
# Every law of the tree holds what `pcm verify` checks, at the budget that is stated for continuous integration, but for
# what known.txt lists with its reason.
set -u
root=$1
pcm=$2
plugins=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
holds() {
    "$pcm" verify "$@" --budget 2 --out "$folder" --plugins "$plugins" >"$folder/said" 2>&1
    status=$?
    known=$(sed -n "s/^${1##*/}: *\([^#]*\).*/\1/p" "$root/tests/verify/known.txt")
    fresh=$(for check in $(awk '$2 == "FOUND" { print $1 }' "$folder/said"); do
        echo " $known " | grep -q " $check " || echo "$check"
    done)
    [ $status -le 1 ] && [ -z "$fresh" ] && { [ $status -eq 0 ] || [ -n "$known" ]; } ||
        { cat "$folder/said"; failed=1; }
}
for source in "$root"/plugins/*.c; do
    law=$(basename "$source" .c)
    case $law in
        WallContact) holds $law --set LiteralSeed=false ;;
        # Used literally as in LAMMPS, these have friction while they pull, outside of the declared cone.
        GranHooke | GranHertz) holds $law --set LimitDamping=true ;;
        # As in LAMMPS a damper beyond the limit stretches the spring backwards, which drives what rolls or slides.
        CundallStrack | RollingResistance) holds $law --set AsLammps=false ;;
        *) holds "$law" ;;
    esac
done
holds "$4"

# A damper cancels a spring force of 1e-49 N at 1e-19 m/s; this must not count as a jump.
"$pcm" verify AdamsImpact --plugins "$plugins" --set Exponent=10 --only steady --budget 1 --out "$folder" \
    >"$folder/said" 2>&1 || { cat "$folder/said"; failed=1; }

# The friction that the paper prints for walls does work on a foot that slides up; this must be found.
"$pcm" verify WallContact --plugins "$plugins" --set LiteralSeed=true --only energy --out "$folder" >"$folder/said" &&
    { echo 'LiteralSeed: nothing is found'; failed=1; }
grep -q 'a closed path returns' "$folder/said" || { cat "$folder/said"; failed=1; }

# The known artefact of CompliantGround must be found if it is not declared.
sed 's/\.gain = gain//; /^static double gain/d' "$root/plugins/CompliantGround.c" >"$folder/CompliantGround.c"
PKG_CONFIG_PATH=$plugins/../meson-uninstalled "$pcm" verify "$folder/CompliantGround.c" --only energy --budget 2 \
    --out "$folder" >"$folder/said" 2>&1 && { echo 'CompliantGround without .gain: nothing is found'; failed=1; }
grep -q 'a closed path returns' "$folder/said" || { cat "$folder/said"; failed=1; }

# A toe with half of its shear in the declared set: the law's own forces are outside, which must be found.
sed 's/set->least = -pcm_max(law->shear, grip)/set->least = -pcm_max(0.5 * law->shear, grip)/' \
    "$root/plugins/FrictionalAdhesion.c" >"$folder/FrictionalAdhesion.c"
PKG_CONFIG_PATH=$plugins/../meson-uninstalled "$pcm" verify "$folder/FrictionalAdhesion.c" --only cone --budget 1 \
    --out "$folder" >"$folder/said" 2>&1 && { echo 'FrictionalAdhesion with half of its set: nothing is found'; failed=1; }
grep -q 'outside of what .shear says' "$folder/said" || { cat "$folder/said"; failed=1; }
exit $failed
