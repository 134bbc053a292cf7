#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: log.sh BUILD
#
# `pcm log --columns` prints the columns of the logs that a run writes: of laws with states, with tangent states and with
# flows.
set -eu
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PATH="$build/tools:$PATH"
cat >ball.xml <<'END'
<mujoco><worldbody><geom name="Floor" type="plane" size="1 1 1"/>
<body pos="0 0 0.0999"><freejoint/><geom name="Ball" size="0.1" mass="1"/></body></worldbody></mujoco>
END
for law in GranHooke LudingHysteresis Twisting ContactHeat Dahl; do
    case $law in
    Twisting | ContactHeat | Dahl) rest="Hertz + $law { ReducedModulus = 1 [MPa];" ;;
    *) rest="$law {" ;;
    esac
    echo "ContactType C = $rest LogFile = \"c.csv\"; Sensing = true; }; DefaultPair -> C;" >c.pcm
    pcm run ball.xml c.pcm --time 0.002 --log . --energy >said 2>&1 || { cat c.pcm said; exit 1; }
    head -n 1 c.csv | tr , '\n' | sed -e 's/_rotation_11$/_rotation_11 ... _33/' -e '/_rotation_[1-3][1-3]$/d' \
        -e 's/_translation_x/_translation_x, _y, _z/' -e '/_translation_[yz] /d' >written
    pcm log --columns $law | sed -n 's/^  \([^ ].*\)/\1/p' | sed 's/  .*//' >printed
    sed 's/ \[.*\]$//' written | diff - printed || { echo "$law: pcm log prints other columns"; exit 1; }
done
