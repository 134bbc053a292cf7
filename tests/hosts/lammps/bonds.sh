#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: bonds.sh ROOT BUILD FOLDER
#
# Grains that have met under another law are bonded by `bond`, to each other and to a wall; their swing is the closed
# form's. Without it, and where nothing touches, a contact type that bonds nothing is warned of once.
. "$(dirname "$0")/lammps.sh"

# style FILE [OPTION ...]: the pair style of the second run.
style() {
    echo "pair_style pcm $*
pair_coeff * * Grain" >style
}

# last: the last line of thermo output, the distance of the grains and the height of the third.
last() { awk '$1 ~ /^[0-9]+$/ && NF == 3 { line = $2 " " $3 } END { print line }' printed; }

# warns TIMES TEXT
warns() { [ "$(grep -c "$2" printed)" = "$1" ] || { cat printed; complain "not $1 times: $2"; }; }

# The anchor is where the first step ends. Springs of kn pi r^2 = 314 N/m, with masses of 2500 pi/6 cm^3 g.
swings() {
    last | awk -v from="$1" '{
        pi = atan2(0, -1); k = 1e8 * pi * 1e-6; m = 2500 * pi / 6 * 1e-6; t = 999e-5
        w = sqrt(2 * k / m); apart = from + 0.02e-5 + 0.02 / w * sin(w * t)
        w = sqrt(k / m); above = -0.01001 + 0.01e-5 + 0.01 / w * sin(w * t)
        printf "off by %.1e and %.1e m\n", $1 - apart, $2 - above
        exit !(($1 - apart) ^ 2 < 1e-14 && ($2 - above) ^ 2 < 1e-14)
    }' || complain 'the bonds do not swing as in closed form'
}

for ranks in 1 2; do
    style bonds.pcm history new bond Cement bond Mortar
    for apart in 0.00999 0.01005; do # overlapping, and across a gap that the cement fills
        runs $ranks bonds.in -v apart $apart
        swings $apart
        warns 0 'bonds nothing'
    done
    held=$(last)
    style bonds.pcm
    runs $ranks held.in
    [ "$(last)" = "$held" ] || complain "after read_restart: $(last), not $held"
    warns 0 'bonds nothing'
    style bonds.pcm history new
    runs $ranks bonds.in -v apart 0.00999
    last | awk '{ exit !($1 > 0.01018 && $2 > -0.00992) }' || complain 'grains without a bond do not part'
    warns 1 'contact type Cement bonds nothing: its bodies were not new as they met'
    warns 1 'contact type Mortar bonds nothing: its bodies were not new as they met'
    { cat style; echo 'run 1'; } >loose # contacts of the type itself, without a bond
    style bonds.pcm bond Cement bond Mortar
    cat style >>loose
    mv loose style
    runs $ranks bonds.in -v apart 0.00999
    swings 0.00999
    warns 1 'Cement bonds nothing: its bodies were not new as they met'
    style bonds.pcm history new bond Cement
    runs $ranks bonds.in -v apart 0.0105
    warns 1 'contact type Cement bonds nothing: no two of its bodies touch'
done

# stops TEXT OPTION ...: an error that contains TEXT.
stops() {
    style bonds.pcm history new $2
    on 1 bonds.in -v apart 0.00999 && complain "it runs: $2"
    warns 1 "ERROR.*$1"
}
stops 'bond Cemnt: no two atom types, and no wall, have a contact type Cemnt' 'bond Cemnt'
stops 'bond Grit: no two atom types, and no wall, have a contact type Grit' 'bond Grit'
stops 'has no option .bonds Cement.' 'bonds Cement'
sed -i 's/-> Cement/-> Grit/' bonds.pcm
stops 'bond Grit: the law GranHooke of this contact type makes no bonds' 'bond Grit'
exit $failed
