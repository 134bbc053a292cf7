#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: native.sh ROOT BUILD FOLDER
#
# The laws of LAMMPS's gran/hooke/history and gran/hertz/history, theirs and PCM's, give the same motion of two clusters in
# collision, on one rank and on two; and so do 1, 2 and 4 ranks. Rounding grows with each collision, so that the runs end
# while it is small.
. "$(dirname "$0")/lammps.sh"
clusters
echo 'pair_style gran/hooke/history 2e5 5.714e4 600 300 0.5 1
pair_coeff * *' >native_hooke
echo 'pair_style gran/hertz/history 1e8 2.857e7 6e4 3e4 0.5 1
pair_coeff * *' >native_hertz
for law in hooke hertz; do
    echo "pair_style pcm $law.pcm kinematics lammps
pair_coeff * * Left Right" >pcm_$law
    for ranks in 1 2; do
        runs $ranks clusters.in -v n 3000 -v style native_$law -v out native
        runs $ranks clusters.in -v n 3000 -v style pcm_$law -v out pcm
        agree native pcm 1e-11
        mv pcm $law$ranks
    done
    agree ${law}1 ${law}2 1e-13
done
runs 4 clusters.in -v n 3000 -v style pcm_hertz -v out hertz4
agree hertz1 hertz4 1e-13

# In the middle of the collision, each atom's stress and the pressure also equal LAMMPS's.
pressure() { awk '$1 == 1800 && NF == 7 { p = $5 } END { print p }' printed; }
runs 2 clusters.in -v n 1800 -v style native_hertz -v out native
pressed=$(pressure)
runs 2 clusters.in -v n 1800 -v style pcm_hertz -v out pcm
agree native pcm 1e-10
awk '/ITEM: ATOMS/ { inside = 1; next } inside && ($13 > 1 || $13 < -1) { n++ } END { exit !(n > 10) }' pcm ||
    complain 'hardly an atom is under stress: this test shows nothing'
echo "$pressed $(pressure)" | awk '{ exit !($1 != 0 && $1 / $2 - 1 < 1e-10 && 1 - $1 / $2 < 1e-10) }' || complain "pressures: $pressed and $(pressure)"

# An atom of a rigid body has the mass of the body in contacts.
echo 'fix          piece all property/atom i_piece
group        left type 1
group        right type 2
set          group left i_piece 1
set          group right i_piece 2
neigh_modify exclude group left left
comm_modify  cutoff 7
fix          move right nve/sphere' >pieces
for body in 'rigid single' 'rigid/small custom i_piece'; do
    sed "s|^atom_style .*|&\natom_modify map yes|; s|^fix  *move .*|include pieces\nfix body left $body|" clusters.in >rigid.in
    runs 2 rigid.in -v n 2500 -v style native_hooke -v out native
    runs 2 rigid.in -v n 2500 -v style pcm_hooke -v out pcm
    agree native pcm 1e-11
done
runs 1 rigid.in -v n 2500 -v style pcm_hooke -v out pcm
agree native pcm 1e-11
runs 1 clusters.in -v n 2500 -v style pcm_hooke -v out loose
awk -v d="$(largest loose pcm)" 'BEGIN { exit !(d > 0.1) }' || complain 'the rigid body makes no difference here'

# Momentum is conserved; with the kinematics of the contact point angular momentum is too, which lever arms of the whole
# radius do not conserve.
momenta() {
    awk '/ITEM: ATOMS/ { inside = 1; next }
        inside {
            m = $2; i = 0.4 * m * $3 * $3
            p[1] += m * $7; p[2] += m * $8; p[3] += m * $9; size += m * ($7 < 0 ? -$7 : $7)
            l[1] += m * ($5 * $9 - $6 * $8) + i * $10; l[2] += m * ($6 * $7 - $4 * $9) + i * $11
            l[3] += m * ($4 * $8 - $5 * $7) + i * $12
        }
        END { print p[1], p[2], p[3], l[1], l[2], l[3] }' OFMT=%.17g "$1"
}
# keeps BEFORE AFTER FIRST LAST TOLERANCE: columns FIRST to LAST are equal.
keeps() {
    { momenta "$1"; momenta "$2"; } | awk -v first="$3" -v last="$4" -v t="$5" '
        NR == 1 { for (k = 1; k <= NF; k++) was[k] = $k }
        NR == 2 { for (k = first; k <= last; k++) { d = $k - was[k]; if (!(d < t && -d < t)) bad = 1; printf "%g ", d } print ""; exit bad }'
}
echo 'pair_style pcm hooke.pcm
pair_coeff * * Left Right' >point
runs 1 clusters.in -v n 0 -v style point -v out before
runs 2 clusters.in -v n 3000 -v style point -v out after
keeps before after 1 3 1e-12 || complain 'momentum is not kept'
keeps before after 4 6 1e-10 || complain 'angular momentum is not kept'
keeps before hooke2 4 6 1e-4 && complain "LAMMPS's own lever arms keep angular momentum: this test shows nothing"
exit $failed
