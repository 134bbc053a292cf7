# SPDX-License-Identifier: MIT
load "style.gp"
cross(z) = rig("./sweep x -0.03 0.08 550 y=0 velocity_x=0 velocity_y=0 velocity_z=0 z=" . z, "Gap")
set title "At rest 10 mm below the ground, across a gap of 50 mm"
set xlabel "x, mm"
set ylabel "force, N"
set yrange [-12:16]
plot cross("-0.01") using (1e3 * column("t")):"force_x" title "along x", \
     cross("-0.01") using (1e3 * column("t")):"force_n" title "along z"

rub(x) = rig("./sweep velocity_z -0.1 0.1 101 y=0 z=-0.02 velocity_x=0 velocity_y=0 x=" . x, "Gap")
set title "Friction on the left wall"
set xlabel "velocity along z, m/s"
set yrange [-6:6]
set key right top
plot rub("-0.002") using "t":"force_n" title "2 mm into the wall", rub("-0.005") using "t":"force_n" title "5 mm into the wall"
