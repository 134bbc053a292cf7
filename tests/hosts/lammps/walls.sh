#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: walls.sh ROOT BUILD FOLDER
#
# Walls of PCM against those of LAMMPS where it has the like, and against one another where it does not.
. "$(dirname "$0")/lammps.sh"
awk 'BEGIN {
    print "spheres\n\n150 atoms\n1 atom types\n\n-0.1 0.2 xlo xhi\n-0.1 0.1 ylo yhi\n-0.05 0.2 zlo zhi\n\nAtoms # sphere\n"
    for (k = 0; k < 6; k++) for (j = 0; j < 5; j++) for (i = 0; i < 5; i++) {
        n++
        printf "%d 1 0.02 2500 %.6f %.6f %.6f\n", n, (i - 2) * 0.021 + 0.0004 * (n % 7 - 3), (j - 2) * 0.021 + 0.0004 * (n % 5 - 2),
            0.0105 + k * 0.021
    } }' >box.data

# runs_box RANKS OUT STEPS STYLE WALLS [DRIFT]: STYLE and WALLS are lines of a script.
runs_box() {
    echo "$4" >style
    echo "$5" >walls
    runs "$1" box.in -v n "$3" -v style style -v walls walls -v out "$2" -v drift "${6:-0}"
}
hertz='hertz/history 1e6 2.857e5 1e4 5e3 0.5 1'
hooke='hooke/history 1e4 2.857e3 100 50 0.5 1'
hertz_wall=$(native_wall hertz 1e6 2.857e5 1e4 0.5 0.5) hooke_wall=$(native_wall hooke 1e4 2.857e3 100 0.5 0.5)
native_hertz="pair_style gran/$hertz
pair_coeff * *"
native_hooke="pair_style gran/$hooke
pair_coeff * *"
pcm_hertz='pair_style pcm soft.pcm kinematics lammps
pair_coeff * * Grain'
pcm_hooke='pair_style pcm drum.pcm kinematics lammps
pair_coeff * * Grain'
box='fix w all wall/pcm Box box -0.055 0.055 -0.055 0.055 0 10 inside'

# A box.
runs_box 2 native 2500 "$native_hertz" "fix x all wall/gran $hertz_wall xplane -0.055 0.055
fix y all wall/gran $hertz_wall yplane -0.055 0.055
fix z all wall/gran $hertz_wall zplane 0 NULL"
runs_box 1 box1 2500 "$pcm_hertz" "$box"
runs_box 2 box 2500 "$pcm_hertz" "$box"
agree native box 1e-11
agree box1 box 1e-12

# Continues from its restart file, on other ranks; without the wall that is an error.
echo "$pcm_hertz" >style
echo "$box" >walls
runs 1 boxed.in -v style style -v walls walls -v from box.restart -v out again
agree box again 1e-14
echo >walls
on 1 boxed.in -v style style -v walls walls -v from box.restart -v out again && complain 'a wall that was left out is not missed'
grep -q 'ERROR.*the restart file has the history of fix w wall/pcm' printed || complain 'the wall that was left out is not named'

# A cylinder; planes that shake, and planes whose surface moves.
# LAMMPS's granular walls project the history at a curved wall as its granular pairs do, but for less than 1e-10 of the limit.
like=lammps pairs=$native_hooke near=1e-11
of_2021 || { like=lammps-granular; near=1e-10; pairs="pair_style granular
pair_coeff * * ${hooke_wall#granular }"; }
runs_box 1 native 800 "$pairs" "fix c all wall/gran $hooke_wall zcylinder 0.07
fix z all wall/gran $hooke_wall zplane 0 NULL wiggle z 0.002 0.03"
runs_box 1 pcm 800 "$(echo "$pcm_hooke" | sed "s/lammps$/$like/")" "fix c all wall/pcm Drum cylinder z 0 0 0.07 inside
fix z all wall/pcm Floor plane 0 0 0 0 0 1 wiggle 0 0 0.002 0.03"
agree native pcm $near
runs_box 1 native 1500 "$native_hooke" "fix z all wall/gran $hooke_wall zplane 0 NULL shear x 0.3"
runs_box 1 sheared 1500 "$pcm_hooke" 'fix z all wall/pcm Floor plane 0 0 0 0 0 1 shear 0.3 0 0'
agree native sheared 1e-11

# Parts of one object each have the law of their own surface.
sed 's/Grain/Soft/; s/^DefaultPair.*//' drum.pcm >two.pcm
sed 's/Grain/Hard/; s/1e4/2e4/; s/^DefaultPair.*//' drum.pcm >>two.pcm
echo 'SurfacePair Grain * Grain -> Soft; SurfacePair Grain * Wood -> Soft; SurfacePair Grain * Steel -> Hard;' >>two.pcm
pcm_two='pair_style pcm two.pcm
pair_coeff * * Grain'
for part in '' 'Mill:'; do
    runs_box 1 "parts$part" 1500 "$pcm_two" "fix z all wall/pcm ${part}Wood plane 0 0 0 0 0 1
fix x all wall/pcm ${part}Steel plane -0.052 0 0 1 0 0
fix y all wall/pcm ${part}Steel plane 0 -0.052 0 0 1 0"
done
agree parts partsMill: 1e-14

# A floor that turns about an axis 10 km away moves like one that slides, except for 1.5e-6 m/s at its sides and a spin
# of 1.5e-4 rad/s. The top of a block is a floor, and so is a cylinder of 100 km, except for 1e-8 m.
runs_box 1 turned 1500 "$pcm_hooke" 'fix z all wall/pcm Floor plane 0 0 0 0 0 1 rotate 0 -10000 0 0 0 -1 3e-5'
agree sheared turned 5e-4
runs_box 1 block 1500 "$pcm_hooke" 'fix z all wall/pcm Floor box -9 9 -9 9 -9 0 outside shear 0.3 0 0'
agree sheared block 1e-12
runs_box 1 pillar 1500 "$pcm_hooke" 'fix z all wall/pcm Floor cylinder y 0 -1e5 1e5 outside shear 0.3 0 0'
agree sheared pillar 1e-3

# Surfaces of triangles: a floor of 800 triangles, over which the spheres slide from one to the next with their history;
# a box from inside; a block with its edges and corners. They equal the walls above.
triangles() { awk 'BEGIN { print "solid s" } { print "facet normal 0 0 0 outer loop vertex", $1, $2, $3, "vertex", $4, $5, $6, "vertex", $7, $8, $9, "endloop endfacet" } END { print "endsolid s" }' >"$1"; }
awk 'BEGIN { h = 0.02; for (i = -10; i < 10; i++) for (j = -10; j < 10; j++) { x = i * h; y = j * h; X = x + h; Y = y + h
    print x, y, 0, X, y, 0, X, Y, 0; print x, y, 0, X, Y, 0, x, Y, 0 } }' | triangles floor.stl
# cuboid X Y Z: prints the triangles of a box between -X and X, -Y and Y, -Z and 0.
cuboid() {
    awk -v a="$1" -v b="$2" -v c="$3" 'function face(p, q, r, s) { print v[p], v[q], v[r]; print v[p], v[r], v[s] }
        BEGIN { for (i = 0; i < 8; i++) v[i] = (i % 2 ? a : -a) " " (int(i / 2) % 2 ? b : -b) " " (i > 3 ? 0 : -c)
            face(0, 2, 3, 1); face(4, 5, 7, 6); face(0, 1, 5, 4); face(2, 6, 7, 3); face(0, 4, 6, 2); face(1, 3, 7, 5) }'
}
runs_box 1 mesh 1500 "$pcm_hooke" 'fix z all wall/pcm Floor stl floor.stl shear 0.3 0 0'
agree sheared mesh 1e-9
cuboid 0.055 0.055 10 | awk '{ print $1, $2, $3 + 10, $4, $5, $6 + 10, $7, $8, $9 + 10 }' | triangles box.stl
runs_box 2 mesh 2500 "$pcm_hertz" 'fix w all wall/pcm Box stl box.stl'
agree box mesh 1e-9
cuboid 30 20 20 | triangles block.stl
runs_box 1 block 2500 "$pcm_hooke" 'fix b all wall/pcm Block box -0.03 0.03 -0.02 0.02 -0.02 0 outside'
runs_box 2 mesh 2500 "$pcm_hooke" 'fix b all wall/pcm Block stl block.stl scale 0.001'
agree block mesh 1e-6

# A sphere in a pipe of triangles of the same width touches each side; more than 64 sides are an error.
cat >pipe.in <<'SCRIPT'
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     f f f
region       box block -1 1 -1 1 -1 1
create_box   1 box
create_atoms 1 single 0 0 0
set          group all diameter 0.2001
set          group all density 1000
pair_style   pcm soft.pcm
pair_coeff   * * Grain
neighbor     0.01 bin
timestep     1e-6
fix          pipe all wall/pcm Pipe stl pipe.stl
thermo_style custom step f_pipe[7]
run          0
SCRIPT
pipe() {
    awk -v n="$1" 'function at(i) { return 0.1 * cos(i * step) " " 0.1 * sin(i * step) }
        BEGIN { step = 6.283185307179586 / n; for (i = 0; i < n; i++) {
            print at(i), -1, at(i), 1, at(i + 1), 1; print at(i), -1, at(i + 1), 1, at(i + 1), -1 } }' | triangles pipe.stl
}
pipe 40
runs 1 pipe.in
awk '$1 == 0 && NF == 2 && $2 == 40 { good = 1 } END { exit !good }' printed || { cat printed; complain 'not all sides of a pipe touch'; }
pipe 80
on 1 pipe.in && complain 'more triangles than are looked at are no error'
grep -q 'ERROR.*atom 1 touches more than 64 triangles' printed || { cat printed; complain 'it does not say that there are too many triangles'; }

# A common velocity changes nothing: a box that moves together with its spheres equals the box at rest.
runs_box 1 rest 2000 "$pcm_hertz" "$box"
runs_box 2 gliding 2000 "$pcm_hertz" "$box velocity 1 0 0" 1
awk '/ITEM: ATOMS/ { inside = 1; print; next } !inside { print; next } { $2 -= 0.025; $5 -= 1; print }' CONVFMT=%.17g OFMT=%.17g gliding >back
agree rest back 1e-9

# Ground whose law has a gap at some place: a sphere next to the gap rests at m g / k, one above it falls.
awk 'BEGIN { print "two\n\n2 atoms\n1 atom types\n\n-0.1 0.4 xlo xhi\n-0.1 0.1 ylo yhi\n-0.9 0.2 zlo zhi\n\nAtoms # sphere\n\n1 1 0.02 2500 0 0 0.01\n2 1 0.02 2500 0.3 0 0.01" }' >box.data
runs_box 1 gap 20000 'pair_style pcm gap.pcm
pair_coeff * * Grain' 'fix g all wall/pcm Ground plane 0 0 0 0 0 1'
awk '$1 == 1 { sinks = 0.01 - $4; if (sinks > 1.01 * 1.027e-4 || sinks < 0.99 * 1.027e-4) bad = 1 }
    $1 == 2 && NF > 8 { if ($4 > -0.1) bad = 1 }
    NF > 8 && /^[12] / { print } END { exit bad }' gap || complain 'the gap is not where the law has it'
exit $failed
