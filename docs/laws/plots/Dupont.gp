# SPDX-License-Identifier: MIT
load "style.gp"
# Dragged forth and back by 1, 0.5 and 0.1 mm at 1 Hz, in 2 s.
drag(way) = "< awk 'BEGIN { print \"t,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off\"; for (i = 0; i <= 4000; i++) " . \
       "print i * 5e-4 \",\" " . way . " * 1e-3 * 6.28318530718 * cos(6.28318530718 * i * 5e-4) \",0,100,100,0,0\" }' " . \
       "| pcm rig laws.pcm Elastoplastic --motion -"
place(t, way) = 1e3 * way * sin(2 * pi * t)
set title "Dragged forth and back under 100 N"
set xlabel "distance, um"
set ylabel "force, N"
set key right top
plot drag("0.1") using (place(column("t"), 0.1)):"force_x" title "100 um", \
     drag("0.04") using (place(column("t"), 0.04)):"force_x" title "40 um", \
     drag("0.015") using (place(column("t"), 0.015)):"force_x" title "15 um"

# At slips of 1 mm/s and 10 mm/s.
give(slip) = rig("./sweep stretch_x 0 0.00006 241 slip_x=" . slip . " slip_y=0 load_n=100 load_elastic=100 load_adhesive=0 load_pull_off=0 stretch_y=0 dt=0", "Elastoplastic")
set title "How much of the slip stretches the bristles"
set xlabel "stretch, um"
set ylabel "share"
set yrange [-0.1:1.1]
plot give("0.001") using (1e6 * column("t")):(1e3 * column("stretch_rate_x")) title "1 mm/s", \
     give("0.01") using (1e6 * column("t")):(1e2 * column("stretch_rate_x")) title "10 mm/s"
