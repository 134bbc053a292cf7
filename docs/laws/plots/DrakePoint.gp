# SPDX-License-Identifier: MIT
load "style.gp"
press(rate) = rig("./sweep depth -0.001 0.003 101 slip_x=0 slip_y=0 depth_rate=" . rate, "Drake")
set title "Normal force"
set xlabel "depth, mm"
set ylabel "force, N"
plot press("0.3") using (1e3 * column("t")):"force_n" title "approaching at 0.3 m/s", \
     press("0") using (1e3 * column("t")):"force_n" title "at rest", \
     press("-0.3") using (1e3 * column("t")):"force_n" title "parting at 0.3 m/s"

slide = rig("./sweep slip_x -0.005 0.005 401 slip_y=0 depth_rate=0 depth=0.001", "Drake")
set title "Friction under 100 N, vs = 1 mm/s"
set xlabel "slip, mm/s"
plot slide using (1e3 * column("t")):"force_x" notitle
