# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed lightly, sheared along the axis or against it, then pulled off at 20 mm/s.
peel(way) = "< awk 'BEGIN { print \"t,depth,depth_rate,slip_x,slip_y,base_axis_x,base_axis_y,base_axis_n,follower_axis_x,follower_axis_y,follower_axis_n\"; " . \
       "for (i = 0; i <= 600; i++) { t = i * 1e-3; print t \",\" (t < 0.2 ? 5e-4 : 5e-4 - 0.02 * (t - 0.2)) \",\" (t < 0.2 ? 0 : -0.02) \",\" (t < 0.2 ? " . way . " / 0.2 : 0) \",0,1,0,0,1,0,0\" } }' " . \
       "| pcm rig laws.pcm Gecko --motion -"
set title "Pulled off at 20 mm/s after a shear along the axis"
set xlabel "time, s"
set ylabel "normal force, N"
set xrange [0:0.6]
set key left bottom
plot peel("0.008") using "t":"force_n" title "of 8 mm", \
     peel("0.003") using "t":"force_n" title "of 3 mm", \
     peel("-0.008") using "t":"force_n" title "of 8 mm the other way"

set title "Shear on the toe"
set ylabel "force along the axis, N"
set yrange [-13:1]
plot peel("0.008") using "t":"force_x" title "of 8 mm", \
     peel("0.003") using "t":"force_x" title "of 3 mm", \
     peel("-0.008") using "t":"force_x" title "of 8 mm the other way"
