# SPDX-License-Identifier: MIT
load "style.gp"
# Dragged along its axis at 20 mm/s, and back.
drag(strength) = "< awk 'BEGIN { print \"t,depth,depth_rate,slip_x,slip_y,strength,base_axis_x,base_axis_y,base_axis_n,follower_axis_x,follower_axis_y,follower_axis_n\"; " . \
       "for (i = 0; i <= 600; i++) print i * 1e-3 \",1e-4,0,\" (i < 450 ? 0.02 : -0.02) \",0," . strength . ",1,0,0,1,0,0\" }' " . \
       "| pcm rig laws.pcm Spine --motion -"
set title "Dragged along its axis at 20 mm/s, after 0.45 s back"
set xlabel "time, s"
set ylabel "force along the axis, N"
set key right top
set yrange [-2.5:0.8]
plot drag("2") using "t":"force_x" title "strength 2 N", drag("1") using "t":"force_x" title "strength 1 N"

# Stretched to 2 mm, then pulled off.
pull(way) = "< awk 'BEGIN { print \"t,depth,depth_rate,slip_x,slip_y,strength,base_axis_x,base_axis_y,base_axis_n,follower_axis_x,follower_axis_y,follower_axis_n\"; " . \
       "for (i = 0; i <= 400; i++) print i * 1e-3 \",\" (i < 100 ? 0 : -0.01 * (i - 100) * 1e-3) \",\" (i < 100 ? 0 : -0.01) \",\" (i < 100 ? " . way . " / 0.1 : 0) \",0,1.5,1,0,0,1,0,0\" }' " . \
       "| pcm rig laws.pcm Spine --motion -"
set title "Pulled off at 10 mm/s after a drag, strength 1.5 N"
set ylabel "normal force, N"
set yrange [-1.2:0.4]
plot pull("0.0025") using "t":"force_n" title "of 2.5 mm", pull("0.001") using "t":"force_n" title "of 1 mm"
