# SPDX-License-Identifier: MIT
load "style.gp"
slide(load) = rig("./sweep slip_x -1 1 101 slip_y=0 depth_rate=0 temperature_base=293 temperature_follower=293 depth=" . sprintf("%g", load / 1e5), "Brake")
set title "Heat under 100 N, BaseShare = 0.3"
set xlabel "slip, m/s"
set ylabel "power, W"
set key center top
plot slide(100.0) using "t":"temperature_flow_base" title "into the base", \
     slide(100.0) using "t":"temperature_flow_follower" title "into the follower"

set title "Heat into the follower"
plot slide(100.0) using "t":"temperature_flow_follower" title "100 N", \
     slide(50.0) using "t":"temperature_flow_follower" title "50 N"
