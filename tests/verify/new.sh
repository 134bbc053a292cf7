#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: new.sh BLOCKS.awk BUILD
#
# `pcm new` makes a law of at most 40 lines whose README's commands work: it builds, it verifies, the rig runs it, and
# meson builds it too. What is changed and built again is what runs next.
set -eu
blocks=$1
build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/typed" <<'END'
set -eu
fail() { echo "README.md:$1: this block does not do what it says"; exit 1; }
pcm new FirstPad
cd FirstPad
[ "$(wc -l <FirstPad.c)" -le 40 ]
. ../blocks
pcm rig FirstPad.pcm --motion press.csv --plugins . | cut -d, -f3 >before
sed 's/law.stiffness \*/2 * &/' FirstPad.c >changed && mv changed FirstPad.c
pcm verify FirstPad.c --budget 1 >said || { cat said; exit 1; }
pcm rig FirstPad.pcm --motion press.csv --plugins . | cut -d, -f3 >after
if [ "$(uname -m)" = x86_64 ] && command -v objdump >objdump; then
    grep -qx '  packed: plain yes, AVX2 yes, AVX-512 yes' said || { cat said; exit 1; }
    mkdir slow
    sed 's/^ *PCM_EACH.*/    for (size_t i = 0; i < b->count \&\& b->depth[i] < 1e9; i++) {/' FirstPad.c >slow/FirstPad.c
    pcm verify slow/FirstPad.c --budget 0.1 --only survives >said || { cat said; exit 1; }
    grep -q '  packed: plain no' said && grep -q 'FirstPad.c:.*not vectorized' said || { cat said; exit 1; }
fi
echo 'ContactType G = ViscoelasticGround {}; DefaultPair -> G;' >ground.pcm
echo 't,depth,depth_rate,slip_x,slip_y
0,0.001,0.5,0.1,0' >slide.csv
# The dissipation of the damper, 10 N*s/m (0.5 m/s)^2, and of friction at 0.1 m/s.
pcm rig ground.pcm --motion slide.csv | awk -F, 'NR > 1 { exit !(($NF - 2.5 + 0.1 * $4) ^ 2 < 1e-24) }'
[ "$(pcm rig FirstPad.pcm --motion press.csv --plugins . | cut -d, -f9 | tail -1)" = separated ]
[ "$(sed -n 3p before)" = 20.399999999999999 ] && [ "$(sed -n 3p after)" = 40.799999999999997 ]
meson setup built . >said || { cat said; exit 1; }
ninja -C built >said || { cat said; exit 1; }
[ "$(pcm verify built/FirstPad.so --only survives --budget 1 | tail -1)" = '1 check holds, 0 findings' ]
cd ..
! pcm new FirstPad 2>said
grep -q 'FirstPad was not written: File exists' said
pcm new Grip --part
cd Grip
[ "$(wc -l <Grip.c)" -le 40 ]
sed 's/FirstPad/Grip/g' ../blocks >../grip
. ../grip
# At 0.01 m/s the friction is SlipDamping times the slip, at 0.1 m/s the share 0.6 of the normal load, 20 N.
pcm rig Grip.pcm --motion press.csv --plugins . | awk -F, 'NR == 4 { exit !(($4 + 10) ^ 2 < 1e-24) }'
pcm rig Grip.pcm --motion press.csv --plugins . | awk -F, 'NR == 5 { exit !(($4 + 12) ^ 2 < 1e-24) }'
cd ..
status=0
pcm new First-Pad 2>said || status=$?
[ $status -eq 2 ]
END
mkdir "$folder/probe"
(cd "$folder/probe" && "$build/tools/pcm" new FirstPad >"$folder/made" && awk -f "$blocks" FirstPad/README.md >"$folder/blocks")
[ -s "$folder/blocks" ] || { echo 'the README has no commands'; exit 1; }
env -i HOME="$folder" PATH=/usr/local/bin:/usr/bin:/bin meson devenv -C "$build" -w "$folder" sh typed
