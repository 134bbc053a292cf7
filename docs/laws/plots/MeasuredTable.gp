# SPDX-License-Identifier: MIT
load "style.gp"
press(rate) = rig("./sweep depth -0.001 0.007 161 depth_rate=" . rate, "Table")
set title "Normal force: four measured points"
set xlabel "depth, mm"
set ylabel "force, N"
plot press("0.3") using (1e3 * column("t")):"force_n" title "approaching at 0.3 m/s", \
     press("0") using (1e3 * column("t")):"force_n" title "at rest", \
     press("-0.3") using (1e3 * column("t")):"force_n" title "parting at 0.3 m/s"

set title "Stored energy"
set ylabel "energy, J"
plot press("0") using (1e3 * column("t")):"energy" notitle
