#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: lammps-hopper.sh PCM-LAMMPS PLUGINS [STEPS]
#
# The energy of a hopper that is filled, opened and at rest, over a million STEPS: under LAMMPS's gran/hooke/history, under
# the same law of PCM, and as PCM would have it. Prints kinetic energies and the height's, as docs/lammps.md has them.
set -eu
program=$(realpath "$1")
PCM_PLUGIN_PATH=$(realpath "$2")
steps=${3:-1000000}
scripts=$(cd "$(dirname "$0")" && pwd)
export PCM_PLUGIN_PATH OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
law='1e4 2.857e3 200 100 0.5 1'
printf 'pair_style gran/hooke/history %s\npair_coeff * *\n' "$law" >native
cat >native-walls <<END
region left  prism -0.125 -0.025 -0.1 0.15 0.1 0.3 0 -0.115 0 units box side out
region right prism 0.025 0.125 -0.1 0.15 0.1 0.3 0 0.115 0 units box side out
fix left  all wall/gran/region hooke/history $law region left
fix right all wall/gran/region hooke/history $law region right
fix floor all wall/gran hooke/history $law zplane 0 NULL
fix gate  all wall/gran hooke/history $law zplane 0.1 NULL
fix sides all wall/gran hooke/history $law xplane -0.15 0.15
END
# The same two wedges as triangles.
for wedge in 'left -1' 'right 1'; do
    awk -v side="${wedge#* }" 'BEGIN {
        for (k = 0; k < 8; k++) {
            x[k] = side * ((k % 2 ? 0.125 : 0.025) + (k < 4 ? 0 : 0.115))
            y[k] = k % 4 < 2 ? -0.1 : 0.15
            z[k] = k < 4 ? 0.1 : 0.3
        }
        n = split("0 1 3,0 3 2,4 5 7,4 7 6,0 1 5,0 5 4,2 3 7,2 7 6,0 2 6,0 6 4,1 3 7,1 7 5", face, ",")
        print "solid wedge"
        for (f = 1; f <= n; f++) {
            split(face[f], c, " ")
            print "facet normal 0 0 0\nouter loop"
            for (k = 1; k <= 3; k++) print "vertex", x[c[k]], y[c[k]], z[c[k]]
            print "endloop\nendfacet"
        }
        print "endsolid wedge" }' >"${wedge% *}.stl"
done
cat >pcm-walls <<'END'
fix left  all wall/pcm Wedge stl left.stl
fix right all wall/pcm Wedge stl right.stl
fix floor all wall/pcm Floor plane 0 0 0 0 0 1
fix gate  all wall/pcm Gate plane 0 0 0.1 0 0 1
fix west  all wall/pcm Side plane -0.15 0 0 1 0 0
fix east  all wall/pcm Side plane 0.15 0 0 -1 0 0
END
cat >alike.pcm <<'END'
ContactType Grain = GranHooke + CundallStrack {
    NormalStiffness = 1e4; NormalDamping = 200; GranHooke.Friction = 0; LimitDamping = false;
    TangentialStiffness = 2.857e3; CundallStrack.TangentialDamping = 100; CundallStrack.Friction = 0.5; AsLammps = true;
};
DefaultPair -> Grain;
END
sed 's/LimitDamping = false;//; s/AsLammps = true;//' alike.pcm >own.pcm
printf 'pair_style pcm alike.pcm kinematics lammps\npair_coeff * * Grain\n' >alike
printf 'pair_style pcm own.pcm\npair_coeff * * Grain\n' >own
echo '| | most J in motion | J in motion, mean and most of the last fifth | J of height at half time and at the end |'
echo '|---|---|---|---|'
for style in native alike own; do
    walls=pcm-walls
    [ $style != native ] || walls=native-walls
    "$program" -in "$scripts/lammps-hopper.in" -log none -v style $style -v walls $walls -v n "$steps" >said || { cat said; exit 1; }
    awk -v name=$style -v n="$steps" 'NF == 3 && $1 + 0 == $1 {
        if ($2 > most) most = $2
        if ($1 <= n / 2) half = $3
        if ($1 > 0.8 * n) { late += $2; rows++; if ($2 > last) last = $2 }
        end = $3
    } END { printf "| %s | %.3f | %.1e, %.1e | %.10f, %.10f |\n", name, most, late / rows, last, half, end }' said
done
