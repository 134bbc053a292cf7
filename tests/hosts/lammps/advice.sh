#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: advice.sh ROOT BUILD FOLDER
#
# The largest stable step: `compute pcm/step` equals closed forms and is the step above which motion grows, and a run warns of
# a step above a quarter of it, once for each law and size.
. "$(dirname "$0")/lammps.sh"

# A sphere of 0.1 m and 0.5 kg between two plates that press it by 1 mm each; EXTRA lines, a STEP and a number of steps.
cat >squeezed.in <<'SCRIPT'
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     f f f
region       box block -1 1 -1 1 -1 1
create_box   1 box
create_atoms 1 single 0 0 0
set          group all diameter 0.1
set          group all mass 0.5
pair_style   pcm law.pcm
pair_coeff   * * Ball
fix          floor all wall/pcm Floor plane 0 0 -0.049 0 0 1
fix          roof all wall/pcm Roof plane 0 0 0.049 0 0 -1
neighbor     0.01 bin
fix          move all nve/sphere
compute      stable all pcm/step
compute      motion all ke
thermo_style custom step c_motion c_stable
thermo_modify norm no format float %.10g
include      extra.in
timestep     ${step}
thermo       ${n}
run          ${n}
SCRIPT
# says COLUMN: that column of the last line that thermo printed.
says() { awk -v k="$1" '/^ *Step/ { on = 1; next } /^Loop/ { on = 0 } on && NF > 2 && $1 + 0 == $1 { x = $k } END { print x }' printed; }
# equals FOUND WANTED TOLERANCE
equals() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a / b - 1; exit !(d < t && -d < t) }' || complain "the step is $1 s and not $2 s: $4"; }
# holds WANTED LAW: the compute says WANTED, to the seven digits in which it adds. In 60 steps the 2.5e-13 J of the start do not
# grow at 0.99 of it, and grow more than 200 times at 1.01.
holds() {
    wanted=$1
    echo "ContactType Press = $2; DefaultPair -> Press;" >law.pcm
    runs 1 squeezed.in -v step 1e-6 -v n 1
    found=$(says 3)
    echo "$2: $found s"
    equals "$found" "$wanted" 1e-5 "$2"
    for share in 0.99 1.01; do
        step=$(awk "BEGIN { printf \"%.17g\", $share * $wanted }")
        runs 1 squeezed.in -v step "$step" -v n 60
        awk -v ke="$(says 2)" -v share=$share 'BEGIN { exit !(share < 1 ? ke < 2.6e-13 : ke > 5e-11) }' ||
            complain "at $share of the step the energy is $(says 2) J: $2"
    done
}
# Along the normal: k/m of both plates, with and without damping. h^2 k/m + 2 h c/m = 4 for 2 k = 20 kN/m, 2 c = 40 kg/s.
echo 'velocity     all set 0 0 1e-6' >extra.in
holds "$(awk 'BEGIN { print 2 / sqrt(2 * 1e4 / 0.5) }' OFMT=%.12g)" 'KelvinVoigt { Stiffness = 1e4; Damping = 0; Clip = false; }'
holds "$(awk 'BEGIN { c = 40 / 0.5; print 4 / (c + sqrt(c * c + 4 * 2e4 / 0.5)) }' OFMT=%.12g)" 'KelvinVoigt { Stiffness = 1e4; Damping = 20; Clip = false; }'
# Along the surface a sphere turns, too: 3.5 kt/m, here on one plate at a constant depth.
echo 'unfix        roof
fix          flat all setforce NULL NULL 0
velocity     all set 1e-6 0 0' >extra.in
holds "$(awk 'BEGIN { print 2 / sqrt(3.5 * 4e3 / 0.5) }' OFMT=%.12g)" \
    'GranHooke + CundallStrack { NormalStiffness = 1e4; TangentialStiffness = 4e3; NormalDamping = 0; GranHooke.Friction = 0; CundallStrack.TangentialDamping = 0; CundallStrack.Friction = 1e3; }'

# A large pair in contact, and a small one that meets after a while: 2 sqrt(m/k) of the reduced masses. The laws differ by
# a decade in stiffness.
cat >pairs.in <<'SCRIPT'
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     f f f
processors   * 1 1
region       box block -1 1 -1 1 -1 1
create_box   2 box
create_atoms 1 single -0.0495 0 0
create_atoms 1 single 0.0495 0 0
create_atoms 1 single -0.012 0.5 0
create_atoms 1 single 0.012 0.5 0
create_atoms 2 single -0.0495 -0.5 0
create_atoms 2 single 0.0495 -0.5 0
set          group all diameter 0.1
set          atom 3*4 diameter 0.02
set          group all density 1000
set          atom 1 density 2000
group        small id 3 4
pair_style   pcm pairs.pcm
pair_coeff   * * Soft Hard
neighbor     0.01 bin
fix          move all nve/sphere
compute      stable all pcm/step
velocity     all set 0 0 0
fix          hold all setforce 0 0 0
set          atom 3 vx ${speed}
set          atom 4 vx -${speed}
thermo_style custom step atoms c_stable
thermo_modify norm no format float %.10g
timestep     ${step}
thermo       300
run          300
SCRIPT
echo 'ContactType Soft = Hooke0 { NormalStiffness = 1e4; }; ContactType Hard = Hooke0 { NormalStiffness = 1e5; };
SurfacePair Soft * Soft -> Soft; SurfacePair Hard * Hard -> Hard; SurfacePair Soft * Hard -> Soft;' |
    sed 's/Hooke0 {/GranHooke { NormalDamping = 0; TangentialDamping = 0; Friction = 0;/g' >pairs.pcm
mass=0.5235987755982988 # of a sphere of 0.1 m of water, kg
soft=$(awk "BEGIN { print 2 * sqrt($mass * 2 / 3 / 1e4) }" OFMT=%.12g)
hard=$(awk "BEGIN { print 2 * sqrt($mass / 2 / 1e5) }" OFMT=%.12g)
small=$(awk "BEGIN { print 2 * sqrt($mass / 125 / 2 / 1e4) }" OFMT=%.12g)
# warned RANKS STEP SPEED NUMBER: on that many ranks, that many warnings, with the small pair at that speed.
warned() {
    runs "$1" pairs.in -v step "$2" -v speed "$3"
    [ "$(grep -c 'WARNING.*the timestep of .* is too large' printed)" = "$4" ] ||
        { cat printed; complain "on $1 ranks, a step of $2 s is not warned of $4 times"; }
}
names() { grep -q "$1" printed || { cat printed; complain "no warning says $1"; }; }
sed 's/^fix  *hold/set atom 1 x -0.3\nset atom 5 x -0.3\n&/' pairs.in >apart.in
for ranks in 1 2; do
    warned $ranks "$(awk "BEGIN { print 0.24 * $hard }")" 0 0
    equals "$(says 3)" "$hard" 1e-5 'the harder of two pairs'
    warned $ranks "$(awk "BEGIN { print 0.26 * $hard }")" 0 1
    names 'too large for contact type Hard: atom [56] of diameter 0.1 m needs'
    warned $ranks "$(awk "BEGIN { print 0.26 * $soft }")" 0 2
    # The small ones touch at step 167: a step later whose number is a power of two tells; and one with a new list of
    # neighbours where contacts have become more.
    warned $ranks "$(awk "BEGIN { print 0.26 * $small }")" 0.05 1
    names 'too large for contact type Soft: atom [34] of diameter 0.02 m needs'
    on $ranks apart.in -v step "$(awk "BEGIN { print 0.26 * $small }")" -v speed 0.5
    names 'too large for contact type Soft: atom [34] of diameter 0.02 m needs'
done
# Once more for a smaller size under the same law.
warned 1 "$(awk "BEGIN { print 0.26 * $soft }")" 0.005 3
exit $failed
