#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: grip.sh ROOT BUILD
#
# The gripper's pads as shipped hold, at rest, under a hand that trembles and under a grip that does: by docs/laws/grip, which
# finds that Dahl's bristles creep.
set -eu
root=$1
build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed 's/Mindlin + Twisting/Dahl + Twisting/; s/Mindlin\.Friction/Dahl.Friction/; /Mindlin.Restitution/d; s/History .*= Force;/Dahl.Stiffness = 5 [N\/mm];/' \
    "$root/configs/pairs/gripper-pads.pcm" >"$folder/dahl.pcm"
"$root/docs/laws/grip" "$build" "$root/configs/pairs/gripper-pads.pcm" "$folder/dahl.pcm" | tee "$folder/rates"
awk -F'|' 'NR == 1 && $2 == 0 && $3 == 0 && $4 == 0 { holds = 1 }
    NR == 2 && $3 > 5 { creeps = 1 }
    END { exit !(holds && creeps) }' "$folder/rates"
