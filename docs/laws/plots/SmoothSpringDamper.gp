# SPDX-License-Identifier: MIT
load "style.gp"
press(rate, type) = rig("./sweep depth -0.00002 0.0002 111 slip_x=0 slip_y=0 depth_rate=" . rate, type)
set title "Normal force"
set xlabel "depth, mm"
set ylabel "force, N"
plot press("0", "Cubic") using (1e3 * column("t")):"force_n" title "at rest, cubic onset", \
     press("0", "Quintic") using (1e3 * column("t")):"force_n" title "at rest, quintic onset", \
     press("0.05", "Cubic") using (1e3 * column("t")):"force_n" title "approaching at 0.05 m/s"

slide = rig("./sweep slip_x -0.006 0.006 201 slip_y=0 depth_rate=0 depth=0.0001", "Cubic")
set title "Friction under 100 N"
set xlabel "slip, mm/s"
set yrange [-60:60]
plot slide using (1e3 * column("t")):"force_x" notitle
