# SPDX-License-Identifier: MIT
load "style.gp"
press(rate, type) = rig("./sweep depth -0.02 0.02 161 slip_x=0 slip_y=0 radius=0.032 depth_rate=" . rate, type)
set title "Normal force, radius 32 mm"
set xlabel "depth, mm"
set ylabel "force, N"
plot press("0", "Sphere") using (1e3 * column("t")):"force_n" title "at rest, the usual smoothing", \
     press("0", "Squares") using (1e3 * column("t")):"force_n" title "at rest, sharper", \
     press("-0.2", "Sphere") using (1e3 * column("t")):"force_n" title "parting at 0.2 m/s"

slide = rig("./sweep slip_x -1 1 401 slip_y=0 depth_rate=0 radius=0.032 depth=0.01", "Sphere")
set title "Friction, 10 mm deep"
set xlabel "slip, m/s"
set key right top
plot slide using "t":"force_x" notitle
