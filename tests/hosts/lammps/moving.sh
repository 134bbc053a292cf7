#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: moving.sh ROOT BUILD FOLDER
#
# What moves the box or gives atoms to other ranks in mid-run, and a style that adds its forces: fix balance, fix deform that
# presses and that shears, pair_style hybrid/overlay. All as with LAMMPS's own style.
. "$(dirname "$0")/lammps.sh"
clusters
gran='gran/hooke/history 2e5 5.714e4 600 300 0.5 1'
printf 'pair_style %s\npair_coeff * *\n' "$gran" >native_style
printf 'pair_style pcm hooke.pcm kinematics lammps\npair_coeff * * Left Right\n' >pcm_style

# Four ranks along x, of which the outer two have no atoms until the sides between them move.
sed 's|^thermo  .*|&\nfix even all balance 50 1 shift x 10 1.05|' clusters.in >even.in
runs 4 even.in -v n 2500 -v style native_style -v out native
runs 4 even.in -v n 2500 -v style pcm_style -v out pcm
agree native pcm 1e-11
awk '/^Nlocal:/ { least = $6 } END { exit !(least > 30) }' printed || complain 'some rank is left without atoms: this test shows nothing'
runs 4 clusters.in -v n 2500 -v style pcm_style -v out still
awk '/^Nlocal:/ { least = $6 } END { exit !(least == 0) }' printed || complain 'all ranks have atoms without balance: this test shows nothing'
agree still pcm 1e-10 # ranks add forces in another order, and rounding has grown for 2,500 steps

# A periodic packing that fix deform presses, or shears: rounding grows faster in it.
cat >deform.in <<'SCRIPT'
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     p p p
lattice      sc 1.01
region       box prism 0 5 0 5 0 5 0 0 0
create_box   2 box
create_atoms 1 box
set          type 1 type/fraction 2 0.5 4711
set          group all diameter 1
set          group all density 1
displace_atoms all random 0.05 0.05 0.05 4711 units box
include      ${style}
neighbor     0.2 bin
timestep     0.0002
fix          move all nve/sphere
fix          box all deform 1 ${how}
thermo       1000
run          ${n}
dump         last all custom 1 ${out} id x y z vx vy vz omegax omegay omegaz
dump_modify  last sort id format float %.17g
run          0
SCRIPT
for how in 'x scale 0.93 y scale 0.93 z scale 0.97 remap x' 'y scale 0.95 xy erate 0.8 remap v'; do
    for many in 1 2; do
        for style in native pcm; do runs $many deform.in -v style ${style}_style -v out $style -v how "$how" -v n 400; done
        echo "deform $how"
        agree native pcm 1e-10
        mv pcm pcm$many
    done
    agree pcm1 pcm2 1e-10
    printf 'pair_style %s\npair_coeff * *\n' 'gran/hooke/history 2e5 5.714e4 600 300 0 1' >smooth
    runs 1 deform.in -v style smooth -v out slides -v how "$how" -v n 400
    awk -v d="$(largest slides pcm1)" 'BEGIN { exit !(d > 1e-3) }' || complain 'friction makes no difference here'
done

# Soft repulsion on top of the contacts.
for one in "$gran|gran/hooke/history" 'pcm hooke.pcm kinematics lammps|pcm Left Right'; do
    printf 'pair_style hybrid/overlay %s soft 1.5\npair_coeff * * %s\npair_coeff * * soft 0.05\n' "${one%|*}" "${one#*|}" >over
    runs 2 clusters.in -v n 1600 -v style over -v out "over-${one%%[ /]*}"
done
agree over-gran over-pcm 1e-11
runs 2 clusters.in -v n 1600 -v style pcm_style -v out bare
awk -v d="$(largest bare over-pcm)" 'BEGIN { exit !(d > 1e-3) }' || complain 'the second style makes no difference here'
exit $failed
