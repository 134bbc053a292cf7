# SPDX-License-Identifier: MIT
load "style.gp"
press(rate) = rig("./sweep depth -0.0002 0.001 121 slip_x=0 slip_y=0 stretch_x=0 stretch_y=0 depth_rate=" . rate, "Compliant")
set title "Normal force"
set xlabel "depth, mm"
set ylabel "force, N"
plot press("0.3") using (1e3 * column("t")):"force_n" title "approaching at 0.3 m/s", \
     press("0") using (1e3 * column("t")):"force_n" title "at rest", \
     press("-0.3") using (1e3 * column("t")):"force_n" title "parting at 0.3 m/s"

# One millimetre deep, dragged forth and back at 0.05 m/s.
drag = "< awk 'BEGIN { print \"t,depth,depth_rate,slip_x,slip_y\"; for (i = 0; i <= 400; i++) " . \
       "print i * 2e-4 \",0.001,0,\" 0.05 * (i <= 200 ? 1 : -1) \",0\" }' | pcm rig laws.pcm Compliant --motion -"
way(t) = t <= 0.04 ? 50 * t : 50 * (0.08 - t)
set title "Friction, 1 mm deep, dragged forth and back at 0.05 m/s"
set xlabel "distance, mm"
set yrange [-20:20]
plot drag using (way(column("t"))):"force_x" notitle
