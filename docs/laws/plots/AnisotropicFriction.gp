# SPDX-License-Identifier: MIT
load "style.gp"
# Slip of 10 mm/s in every direction from the axis, under 100 N.
turn(type) = "< awk 'BEGIN { print \"t,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off,base_axis_x,base_axis_y,base_axis_n,follower_axis_x,follower_axis_y,follower_axis_n\"; " . \
       "for (i = 0; i <= 360; i++) { a = i * 3.14159265359 / 180; print i \",\" 0.01 * cos(a) \",\" 0.01 * sin(a) \",100,100,0,0,1,0,0,1,0,0\" } }' " . \
       "| pcm rig laws.pcm " . type . " --motion - --trial"
set title "Friction under 100 N, slip in every direction"
set xlabel "along the axis, N"
set ylabel "across, N"
set xrange [-80:80]
set yrange [-80:95]
plot turn("Snake") using "force_x":"force_y" title "Associated", turn("Straight") using "force_x":"force_y" title "Collinear"

set title "Its part across the axis"
set xlabel "direction of slip, degrees"
set xrange [0:360]
set xtics 90
plot turn("Snake") using "t":"force_y" title "Associated", turn("Straight") using "t":"force_y" title "Collinear"
