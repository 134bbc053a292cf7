#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: impacts.sh BUILD
#
# What `pcm explain` gets of a run of an impact is what the laws' own closed forms say of it: to 1e-6, and 3e-6 where the
# force jumps within the contact.
set -eu
export PATH="$1/tools:$PATH" PCM_PLUGIN_PATH="$1/plugins"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
compared=0

# usage: strike MASS RADIUS SPEED NUMBERS TOLERANCE LAW [PARAMETERS]; NUMBERS: how many numbers the law has in closed
# form.
strike() {
    printf 'ContactType Law = %s { %s };\nDefaultPair -> Law;\n' "$6" "${7-}" >law.pcm
    pcm explain law.pcm Floor Ball --mass "$1" --radius "$2" --speed "$3" --json >answer
    awk -v law="$6 { ${7-} }" -v wanted="$4" -v tolerance="$5" '
        { sub(/,$/, ""); key = $1; gsub(/[":]/, "", key) }
        key == "name" { name = $2; gsub(/"/, "", name) }
        key == "value" { own[name] = $2 }
        key == "restitution" || key == "contact_time" {
            if (!(key in own)) next
            off = own[key] == $2 ? 0 : $2 == "null" || own[key] == "null" ? 1 : $2 / own[key] - 1
            if (off < 0) off = -off
            if (off > tolerance) { printf "%s: %s is %s, the law says %s\n", law, key, $2, own[key]; bad = 1 }
            compared++
        }
        END { if (compared != wanted) { printf "%s: compared %d numbers\n", law, compared; bad = 1 } exit bad }' answer
    compared=$((compared + 1))
}

strike 0.05 0.01 0.5 1 1e-6 Hertz 'ReducedModulus = 1e7;'
strike 1 1 0.3 2 1e-6 KelvinVoigt 'Stiffness = 1e4; Damping = 20;'
strike 1 1 0.3 2 1e-6 KelvinVoigt 'Stiffness = 1e4; Damping = 20; Clip = false;'
strike 1 1 3 2 1e-6 KelvinVoigt 'Stiffness = 1e4; Damping = 400;'
strike 1 1 3 2 1e-6 KelvinVoigt 'Stiffness = 1e4; Damping = 400; Clip = false;' # the body never leaves
strike 1 1 0.5 1 1e-6 HuntCrossley 'Stiffness = 1e6; Dissipation = 0.4;'
strike 2 1 0.5 1 3e-6 LudingHysteresis
strike 2 1 0.5 2 3e-6 WaltonBraun
strike 0.002 0.005 1 1 1e-6 Thornton 'ReducedModulus = 1e11; YieldPressure = 1e9;'
strike 0.05 0.01 0.5 1 1e-6 HertzTsuji 'ReducedModulus = 1e7; Restitution = 0.2;'
[ $compared -eq 10 ]
