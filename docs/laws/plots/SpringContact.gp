# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed 2 mm deep in 0.04 s, pulled off at 0.1 m/s.
pull(type) = "< awk 'BEGIN { print \"t,depth,depth_rate,slip_x,slip_y\"; for (i = 0; i <= 220; i++) { " . \
             "d = i < 80 ? i * 2.5e-5 : 0.002 - (i - 80) * 5e-5; print i * 5e-4 \",\" d \",\" (i < 80 ? 0.05 : -0.1) \",0,0\" } }' " . \
             "| pcm rig laws.pcm " . type . " --motion -"
depth(t) = t < 0.04 ? 50 * t : 2 - 100 * (t - 0.04)
set title "Normal force: pressed 2 mm deep, then pulled off"
set xlabel "depth, mm"
set ylabel "force, N"
set xrange [2:-5]
set key left bottom
plot pull("Saturated") using (depth(column("t"))):"force_n" title "LimitMode = Saturate", \
     pull("Sticky") using (depth(column("t"))):"force_n" title "LimitMode = Break"

# Touching, dragged sideways at 0.05 m/s.
drag(type) = "< awk 'BEGIN { print \"t,depth,depth_rate,slip_x,slip_y\"; for (i = 0; i <= 240; i++) " . \
             "print i * 1e-3 \",0,0,0.05,0\" }' | pcm rig laws.pcm " . type . " --motion -"
set title "Tangential force: dragged at 0.05 m/s, X_Limit = 8 N"
set xlabel "distance, mm"
set xrange [0:12]
set yrange [-10:3]
set key right top
plot drag("Saturated") using (50 * column("t")):"force_x" title "LimitMode = Saturate", \
     drag("Sticky") using (50 * column("t")):"force_x" title "LimitMode = Break"
