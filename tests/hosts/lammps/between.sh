#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: between.sh ROOT BUILD FOLDER
#
# What a script may do between two runs, in mid-contact, without a contact forgetting or taking another's memory: give atoms
# new IDs, delete some, give the pair style again, alone or in a hybrid one; at a wall too.
. "$(dirname "$0")/lammps.sh"
clusters
# A soft wall next to them, so that contacts with it last.
{
    cat hertz.pcm
    echo 'ContactType Soft = GranHertz { NormalStiffness = 1e4; TangentialStiffness = 5e3; NormalDamping = 10; Friction = 0.3; };'
    echo 'SurfacePair "*" * Side -> Soft;'
} >side.pcm
cat >base.in <<'SCRIPT'
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     f f f
processors   * 1 1
read_data    clusters.data
pair_style   pcm side.pcm
pair_coeff   * * Left Right
group        left type 1
fix          side left wall/pcm Side plane 0 2.615 0 0 -1 0
neighbor     0.3 bin
timestep     0.0002
fix          move all nve/sphere
group        few id 1:3
run          1800
between
run          800
dump         last all custom 1 ${out} x y z vx vy vz omegax omegay omegaz
dump_modify  last sort 1 format float %.17g
run          0
SCRIPT

# between NAME LINES: runs with these lines in between, on one rank and on two.
between() {
    echo "$2" >lines
    sed '/^between/{r lines
        d}' base.in >between.in
    for many in 1 2; do runs $many between.in -v out "$1$many"; done
}
style='pair_style pcm side.pcm'
names='pair_coeff * * Left Right'
between plain ''
between ids 'reset_atom_ids'
between again "$style
$names"
between hybrid 'pair_style hybrid pcm side.pcm
pair_coeff * * pcm Left Right'
between gap 'delete_atoms group few compress no'
between fewer 'delete_atoms group few'
between anew "$style history new
$names"
for many in 1 2; do
    for like in ids again hybrid; do agree plain$many $like$many 1e-13; done
    agree gap$many fewer$many 1e-13
    awk -v d="$(largest plain$many anew$many)" 'BEGIN { exit !(d > 1e-6) }' || complain 'history makes no difference here'
done
exit $failed
