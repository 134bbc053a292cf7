# SPDX-License-Identifier: MIT
load "style.gp"
pull = "< awk 'BEGIN { print \"t,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off,base_axis_x,base_axis_y,base_axis_n,follower_axis_x,follower_axis_y,follower_axis_n\"; " . \
       "for (i = 0; i <= 900; i++) print i * 1e-3 \",\" (i < 300 ? 0.005 : i < 700 ? -0.015 : 0.02) \",0,10,10,0,0,1,0,0,1,0,0\" }' " . \
       "| pcm rig laws.pcm Claw --motion -"
set title "Pulled, pushed back over three teeth, pulled again"
set xlabel "time, s"
set ylabel "force along the axis, N"
set yrange [-40:5]
plot pull using "t":"force_x" notitle

set title "Stretch; below 0 the way to the tooth ahead"
set ylabel "stretch, mm"
set yrange [-2.2:2.2]
plot pull using "t":(1e3 * column("stretch")) notitle
