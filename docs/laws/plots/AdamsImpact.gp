# SPDX-License-Identifier: MIT
load "style.gp"
press(rate) = rig("./sweep depth -0.00005 0.0003 141 depth_rate=" . rate, "Impact")
set title "Normal force"
set xlabel "depth, mm"
set ylabel "force, N"
plot press("0.005") using (1e3 * column("t")):"force_n" title "approaching at 5 mm/s", \
     press("0") using (1e3 * column("t")):"force_n" title "at rest", \
     press("-0.005") using (1e3 * column("t")):"force_n" title "parting at 5 mm/s"

damp(depth) = rig("./sweep depth_rate -0.05 0.05 101 depth=" . depth, "Impact")
set title "Over the depth rate"
set xlabel "depth rate, mm/s"
plot damp("0.00003") using (1e3 * column("t")):"force_n" title "0.03 mm deep", \
     damp("0.00006") using (1e3 * column("t")):"force_n" title "0.06 mm deep", \
     damp("0.0001") using (1e3 * column("t")):"force_n" title "0.1 mm deep"
