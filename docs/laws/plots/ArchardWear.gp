# SPDX-License-Identifier: MIT
load "style.gp"
slide(load) = rig("./sweep slip_x -1 1 101 slip_y=0 depth_rate=0 worn_base=0 worn_follower=0 depth=" . sprintf("%g", load / 1e5), "Worn")
set title "Wear under 100 N"
set xlabel "slip, m/s"
set ylabel "mm^3 per second"
set key center top
plot slide(100.0) using "t":(1e9 * column("worn_flow_base")) title "off the base, 2 GPa hard", \
     slide(100.0) using "t":(1e9 * column("worn_flow_follower")) title "off the follower, 0.5 GPa"

set title "Off the follower"
plot slide(100.0) using "t":(1e9 * column("worn_flow_follower")) title "100 N", \
     slide(50.0) using "t":(1e9 * column("worn_flow_follower")) title "50 N"
