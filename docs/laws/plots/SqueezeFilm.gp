# SPDX-License-Identifier: MIT
load "style.gp"
film(type) = rig("./sweep depth -0.00006 0.000005 261 depth_rate=0.01 radius=0.005", type)
set title "Water, R = 5 mm, approaching at 10 mm/s"
set xlabel "gap, um"
set ylabel "force, mN"
set key right top
plot film("Film") using (-1e6 * column("t")):(1e3 * column("force_n")) title "InnerGap = 1 um", \
     film("FilmThick") using (-1e6 * column("t")):(1e3 * column("force_n")) title "5 um"
speed(type) = rig("./sweep depth_rate -0.05 0.05 101 depth=-0.000001 radius=0.005", type)
set title "At a gap of 1 um"
set xlabel "approach, mm/s"
set key left top
plot speed("Film") using (1e3 * column("t")):(1e3 * column("force_n")) title "InnerGap = 1 um", \
     speed("FilmThick") using (1e3 * column("t")):(1e3 * column("force_n")) title "5 um"
