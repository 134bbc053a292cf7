#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: words.sh ROOT BUILD FOLDER
#
# The rows of docs/lammps.md's table from gran/* to pcm: what a script says for LAMMPS's style and for PCM moves the same
# spheres alike, pairs and walls, to 1e-11 where rounding has grown over 2,000 steps.
. "$(dirname "$0")/lammps.sh"
clusters
awk 'BEGIN {
    print "spheres\n\n75 atoms\n1 atom types\n\n-0.1 0.2 xlo xhi\n-0.1 0.1 ylo yhi\n-0.05 0.2 zlo zhi\n\nAtoms # sphere\n"
    for (k = 0; k < 3; k++) for (j = 0; j < 5; j++) for (i = 0; i < 5; i++) {
        n++
        printf "%d 1 0.02 2500 %.6f %.6f %.6f\n", n, (i - 2) * 0.021 + 0.0004 * (n % 7 - 3), (j - 2) * 0.021 + 0.0004 * (n % 5 - 2),
            0.0105 + k * 0.021
    } }' >box.data
cp box.in floor.in

# pair WORDS TYPE: pair_style WORDS, and that contact type.
pair() {
    printf 'pair_style %s\npair_coeff * *\n' "$1" >native
    echo "ContactType Grain = $2; DefaultPair -> Grain;" >grain.pcm
    printf 'pair_style pcm grain.pcm kinematics lammps\npair_coeff * * Left Right\n' >style
    runs 1 clusters.in -v n 2000 -v style native -v out theirs
    runs 1 clusters.in -v n 2000 -v style style -v out ours
    echo "$1"
    agree theirs ours 1e-11
}
pair 'gran/hooke 2e5 NULL 600 300 0.5 1' 'GranHooke { NormalStiffness = 2e5; NormalDamping = 600; TangentialDamping = 300; Friction = 0.5; LimitDamping = false; }'
pair 'gran/hooke 2e5 NULL 600 NULL 0.5 1' 'GranHooke { NormalStiffness = 2e5; NormalDamping = 600; TangentialDamping = 300; Friction = 0.5; LimitDamping = false; }'
pair 'gran/hooke 2e5 NULL 600 300 0.5 0' 'GranHooke { NormalStiffness = 2e5; NormalDamping = 600; TangentialDamping = 0; Friction = 0.5; LimitDamping = false; }'
pair 'gran/hooke 2e5 NULL 600 300 0.5 1 limit_damping' 'GranHooke { NormalStiffness = 2e5; NormalDamping = 600; TangentialDamping = 300; Friction = 0.5; }'
pair 'gran/hooke/history 2e5 NULL 600 NULL 0.5 1' 'GranHooke + CundallStrack { NormalStiffness = 2e5; NormalDamping = 600; LimitDamping = false; GranHooke.Friction = 0; TangentialStiffness = 57142.857142857138; CundallStrack.TangentialDamping = 300; CundallStrack.Friction = 0.5; AsLammps = true; }'
pair 'gran/hooke/history 2e5 5.714e4 600 300 0.5 1 limit_damping' 'GranHooke + CundallStrack { NormalStiffness = 2e5; NormalDamping = 600; LimitDamping = true; GranHooke.Friction = 0; TangentialStiffness = 5.714e4; CundallStrack.TangentialDamping = 300; CundallStrack.Friction = 0.5; AsLammps = true; }'
pair 'gran/hertz/history 1e8 NULL 6e4 NULL 0.5 1' 'GranHertz { NormalStiffness = 1e8; TangentialStiffness = 28571428.571428571; NormalDamping = 6e4; TangentialDamping = 3e4; Friction = 0.5; LimitDamping = false; }'
pair 'gran/hertz/history 1e8 2.857e7 6e4 3e4 0.5 1 limit_damping' 'GranHertz { NormalStiffness = 1e8; TangentialStiffness = 2.857e7; NormalDamping = 6e4; TangentialDamping = 3e4; Friction = 0.5; }'

# wall PAIR WALL TYPE: both, on a floor and between two sides.
wall() {
    printf 'pair_style %s\npair_coeff * *\n' "$1" >style
    echo "fix z all wall/gran $2 zplane 0 NULL
fix x all wall/gran $2 xplane -0.055 0.055" >walls
    runs 1 floor.in -v n 1000 -v style style -v walls walls -v out theirs -v drift 0.2
    echo "ContactType Grain = $3; DefaultPair -> Grain;" >grain.pcm
    printf 'pair_style pcm grain.pcm kinematics lammps\npair_coeff * * Grain\n' >style
    echo 'fix z all wall/pcm Floor plane 0 0 0 0 0 1
fix l all wall/pcm Side plane -0.055 0 0 1 0 0
fix r all wall/pcm Side plane 0.055 0 0 -1 0 0' >walls
    runs 1 floor.in -v n 1000 -v style style -v walls walls -v out ours -v drift 0.2
    echo "wall/gran $2"
    agree theirs ours 1e-11
}
wall 'gran/hooke 1e4 NULL 100 50 0.5 1' 'hooke 1e4 NULL 100 50 0.5 1' 'GranHooke { NormalStiffness = 1e4; NormalDamping = 100; TangentialDamping = 50; Friction = 0.5; LimitDamping = false; }'
wall 'gran/hooke/history 1e4 2.857e3 100 50 0.5 1' "$(native_wall hooke 1e4 2.857e3 100 0.5 0.5)" 'GranHooke + CundallStrack { NormalStiffness = 1e4; NormalDamping = 100; LimitDamping = false; GranHooke.Friction = 0; TangentialStiffness = 2.857e3; CundallStrack.TangentialDamping = 50; CundallStrack.Friction = 0.5; AsLammps = true; }'
wall 'gran/hertz/history 1e6 2.857e5 1e4 5e3 0.5 1' "$(native_wall hertz 1e6 2.857e5 1e4 0.5 0.5)" 'GranHertz { NormalStiffness = 1e6; TangentialStiffness = 2.857e5; NormalDamping = 1e4; TangentialDamping = 5e3; Friction = 0.5; LimitDamping = false; }'
exit $failed
