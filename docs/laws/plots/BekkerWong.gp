# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed 20 mm deep, half out, and 40 mm deep; a plate of 100 cm^2.
press(type) = "< awk 'BEGIN { print \"t,depth,depth_rate,slip_x,slip_y,area\"; " . \
       "for (i = 0; i <= 1200; i++) { d = i < 400 ? i : i < 600 ? 400 - 0.05 * (i - 400) : i < 800 ? 390 + 0.05 * (i - 600) : i - 400; print i * 1e-3 \",\" d * 5e-5 \",0,0,0,0.01\" } }' " . \
       "| pcm rig laws.pcm " . type . " --motion -"
depth(t) = 50 * (t < 0.4 ? t : t < 0.6 ? 0.4 - 0.05 * (t - 0.4) : t < 0.8 ? 0.39 + 0.05 * (t - 0.6) : t - 0.4)
set title "Normal force on 100 cm^2, with a way back at 20 mm"
set xlabel "sinkage, mm"
set ylabel "force, N"
plot press("Sand") using (depth(column("t"))):"force_n" title "dry sand", \
     press("Clay") using (depth(column("t"))):"force_n" title "clay"

shear(type) = "< awk 'BEGIN { print \"t,depth,depth_rate,slip_x,slip_y,area\"; " . \
       "for (i = 0; i <= 500; i++) print i * 1e-2 \",0.02,0,\" (i ? 0.02 : 0) \",0,0.01\" }' | pcm rig laws.pcm " . type . " --motion -"
set title "Shear 20 mm deep"
set xlabel "way, mm"
set ylabel "force, N"
set key left bottom
set yrange [-320:10]
plot shear("Sand") using (20 * column("t")):"force_x" title "dry sand", \
     shear("Clay") using (20 * column("t")):"force_x" title "clay"
