#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: sizes.sh SOURCE BUILD HERE
#
# Spheres of one type with diameters from 4 to 20 mm: pair_style pcm lists as many neighbours as the native style does, give
# or take 1 in 100, because spheres move a little differently before a list is made. By the largest radius it lists 3.6
# times as many.
set -eu
export PCM_PLUGIN_PATH="$2/plugins" OMP_NUM_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
program=$2/hosts/lammps/pcm-lammps
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo 'ContactType G = GranHooke + CundallStrack { NormalStiffness = 1e4; TangentialStiffness = 2.857e3; NormalDamping = 100;
    GranHooke.Friction = 0; CundallStrack.TangentialDamping = 50; }; DefaultPair -> G;' >grains.pcm

neighbours() {
    cat >sizes.in <<END
units si
atom_style sphere
newton off
comm_modify vel yes
lattice sc 0.0105
region box block 0 12 0 12 0 12
create_box 1 box
create_atoms 1 box
variable d atom random(0.004,0.02,77)
set group all diameter v_d
set group all density 2500
pair_style $1
pair_coeff * * $2
neighbor 0.001 bin
timestep 2e-6
fix move all nve/sphere
run 1
END
    "$program" -in sizes.in -log none | awk '/^Total # of neighbors/ { print $NF }'
}
native=$(neighbours 'gran/hooke/history 1e4 2.857e3 100 50 0.5 1' '')
ours=$(neighbours 'pcm grains.pcm' Grain)
echo "neighbours: native $native, pcm $ours"
[ "$native" -gt 1000 ] && [ $((ours * 100)) -le $((native * 101)) ] && [ $((ours * 100)) -ge $((native * 99)) ]
