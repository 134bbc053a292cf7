# SPDX-License-Identifier: MIT
load "style.gp"
press(rate) = rig("./sweep depth -0.001 0.005 301 slip_x=0 slip_y=0 depth_rate=" . rate, "Viscoelastic")
set title "Normal force"
set xlabel "depth, mm"
set ylabel "force, N"
plot press("0.2") using (1e3 * column("t")):"force_n" title "approaching at 0.2 m/s", \
     press("0") using (1e3 * column("t")):"force_n" title "at rest", \
     press("-0.2") using (1e3 * column("t")):"force_n" title "parting at 0.2 m/s"

slide(depth) = rig("./sweep slip_x -0.1 0.1 101 slip_y=0 depth_rate=0 depth=" . depth, "Viscoelastic")
set title "Friction"
set xlabel "slip, m/s"
set key right top
plot slide("0.002") using "t":"force_x" title "2 mm deep", slide("0.005") using "t":"force_x" title "5 mm deep"
