#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: groups.sh ROOT BUILD FOLDER
#
# What a script leaves out or holds fast: atoms that are frozen, other styles of pair_style hybrid, pairs that the neighbour
# list excludes, walls of a group. All as with LAMMPS's own style. And an atom may have as many partners as it likes.
. "$(dirname "$0")/lammps.sh"
clusters
gran='gran/hooke/history 2e5 5.714e4 600 300 0.5 1'
echo "pair_style $gran
pair_coeff * *" >native
echo 'pair_style pcm hooke.pcm kinematics lammps
pair_coeff * * Left Right' >pcm
runs 1 clusters.in -v n 2500 -v style native -v out all

# like NAME LINES: with these lines after the pair style, the motion equals that of LAMMPS's own style, and differs from
# the motion without them.
like() {
    echo "$2" >more
    for style in native pcm; do
        sed 's|^include.*|&\ninclude more|' clusters.in >with.in
        runs 2 with.in -v n 2500 -v style $style -v out "$style-$1"
    done
    agree "native-$1" "pcm-$1" 1e-11
    awk -v d="$(largest all "pcm-$1")" 'BEGIN { exit !(d > 1e-3) }' || complain "$1 makes no difference here"
}
like frozen 'group held id 1:25
velocity held set 0 0 0
fix held held freeze'
like excluded 'group left id 1:125
neigh_modify exclude group left left'
like typed 'neigh_modify exclude type 1 2'

# A floor that shakes, only for some of the spheres.
echo 'group some id 1:60 126:190
fix floor some wall/gran '"$(native_wall hooke 2e5 5.714e4 600 0.5 0.5)"' zplane -2.59 NULL wiggle z 0.02 0.5' >more
runs 2 with.in -v n 800 -v style native -v out native-walled
echo 'group some id 1:60 126:190
fix floor some wall/pcm Floor plane 0 0 -2.59 0 0 1 wiggle 0 0 0.02 0.5' >more
runs 2 with.in -v n 800 -v style pcm -v out pcm-walled
agree native-walled pcm-walled 1e-11
awk '/ITEM: ATOMS/ { inside = 1; next } inside && $9 > 0.1 { up++ } END { exit !(up > 10) }' pcm-walled || complain 'the floor lifts no sphere'

# Laws of PCM for some pairs and LAMMPS's own for the others.
for own in '1 2|1 1|2 2' '2 2'; do
    {
        echo "pair_style hybrid pcm hooke.pcm kinematics lammps $gran"
        [ "$own" = '2 2' ] && echo "pair_coeff * * pcm Left Right" || echo "pair_coeff * * pcm Left NULL"
        [ "$own" = '2 2' ] && echo "pair_coeff 2 2 gran/hooke/history" || echo "pair_coeff 1 2 gran/hooke/history
pair_coeff 2 2 gran/hooke/history"
    } >hybrid
    runs 2 clusters.in -v n 2500 -v style hybrid -v out hybrid
    agree all hybrid 1e-11
done

# A wall leaves types without a name to other styles.
sed -i 's/^fix floor some/fix floor all/' more
echo "pair_style hybrid pcm hooke.pcm kinematics lammps $gran
pair_coeff * * pcm Left NULL
pair_coeff 1*2 2 gran/hooke/history" >hybrid
runs 2 with.in -v n 800 -v style hybrid -v out hybrid-walled
echo 'group left type 1
fix floor left wall/gran '"$(native_wall hooke 2e5 5.714e4 600 0.5 0.5)"' zplane -2.59 NULL wiggle z 0.02 0.5' >more
runs 2 with.in -v n 800 -v style native -v out native-walled
agree native-walled hybrid-walled 1e-11

# The results of contacts, for a dump, also in a hybrid style.
echo 'neigh_modify exclude type 2 2
compute laws all pair/local eng force
dump laws all local 1800 laws.dump c_laws[1] c_laws[2]' >more
echo "pair_style hybrid pcm hooke.pcm $gran
pair_coeff * * pcm Left Right
pair_coeff 2 2 gran/hooke/history" >hybrid
runs 2 with.in -v n 1800 -v style hybrid -v out hybrid
awk '/ENTRIES/ { inside = 1; next } /ITEM/ { inside = 0 } inside && $2 != 0 { n++ } END { exit !(n > 10) }' laws.dump ||
    complain 'hardly a contact of a hybrid style gives a force'

# A sphere with 400 partners that stick to it, and its restart on other ranks.
awk 'BEGIN {
    print "many\n\n401 atoms\n2 atom types\n\n-3 3 xlo xhi\n-3 3 ylo yhi\n-3 3 zlo zhi\n\nAtoms # sphere\n\n1 1 2 1000 0 0 0"
    for (i = 0; i < 400; i++) {
        z = 1 - (2 * i + 1) / 400; r = sqrt(1 - z * z); a = 2.399963 * i
        printf "%d 2 0.08 1000 %.9f %.9f %.9f\n", i + 2, 1.0399 * r * cos(a), 1.0399 * r * sin(a), 1.0399 * z
    }
    print "\nVelocities\n\n1 0 0 0 1 0 0"
    for (i = 2; i < 402; i++) print i, "0 0 0 0 0 0" }' >many.data
cat >many.in <<'SCRIPT'
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     f f f
read_data    many.data
pair_style   pcm hertz.pcm
pair_coeff   * * Left Right
neighbor     0.05 bin
timestep     1e-5
fix          move all nve/sphere
compute      contacts all pair pcm
thermo_style custom step c_contacts[1]
thermo_modify norm no
run          20
write_restart many.restart
run          20
dump         last all custom 1 many id x y z vx vy vz omegax omegay omegaz
dump_modify  last sort id format float %.17g
run          0
SCRIPT
runs 1 many.in
awk 'NF == 2 && $1 == 40 && $2 >= 400 { good = 1 } END { exit !good }' printed || { cat printed; complain 'not all of 400 partners touch'; }
sed '/^processors/d; s/neighbor .*/neighbor 0.05 bin/; s/^timestep .*/timestep 1e-5/; s/^run  *1000/run 20/' continue.in >again.in
echo 'pair_style pcm hertz.pcm
pair_coeff * * Left Right' >style
for ranks in 1 2; do
    runs $ranks again.in -v from many.restart -v style style -v out again
    agree many again 1e-13
done
# If LAMMPS's neighbour list has too little room for them, LAMMPS reports it only after it has written them: the page
# must have room for them.
sed 's/^neighbor.*/&\nneigh_modify one 20 page 100000/' many.in >narrow.in
on 2 narrow.in && complain 'a neighbour list that is too short runs'
grep -q 'ERROR.*Neighbor list overflow, boost neigh_modify one' printed || { cat printed; complain 'it does not say what is too short'; }
exit $failed
