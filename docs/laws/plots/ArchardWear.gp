# SPDX-License-Identifier: MIT
load "style.gp"
slide(load) = rig("./sweep slip_x -1 1 101 slip_y=0 load_elastic=1 load_adhesive=0 load_pull_off=0 worn_base=0 worn_follower=0 load_n=" . load, "Worn")
set title "Wear under 100 N"
set xlabel "slip, m/s"
set ylabel "mm^3 per second"
set key center top
plot slide("100") using "t":(1e9 * column("worn_flow_base")) title "off the base, 2 GPa hard", \
     slide("100") using "t":(1e9 * column("worn_flow_follower")) title "off the follower, 0.5 GPa"

set title "Off the follower"
plot slide("100") using "t":(1e9 * column("worn_flow_follower")) title "100 N", \
     slide("50") using "t":(1e9 * column("worn_flow_follower")) title "50 N"
