# SPDX-License-Identifier: MIT
load "style.gp"
slide = rig("./sweep slip_x -0.005 0.005 401 slip_y=0 load_n=100 load_elastic=100 load_adhesive=0 load_pull_off=0 stretch_x=0 stretch_y=0 dt=1000", "Bristles")
set title "Steady friction under 100 N"
set xlabel "slip, mm/s"
set ylabel "force, N"
plot slide using (1e3 * column("t")):"force_x" notitle

# From rest to 2 mm/s and back within 0.4 s.
pull(rate) = "< awk 'BEGIN { print \"t,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off\"; " . \
       "for (i = 0; i <= 2000; i++) { t = i * 2e-3; print t / " . rate . " \",\" 0.001 * (1 - cos(6.28318530718 * t / 4)) \",0,100,100,0,0\" } }' " . \
       "| pcm rig laws.pcm Bristles --motion -"
speed(t) = 1 - cos(2 * pi * t / 4)
set title "From rest to 2 mm/s and back under 100 N"
set yrange [-60:10]
set key right top
plot pull("1.0") using (speed(column("t"))):"force_x" title "in 4 s", \
     pull("20.0") using (speed(20 * column("t"))):"force_x" title "in 0.2 s"
