# SPDX-License-Identifier: MIT
load "style.gp"
wide(type) = rig("./sweep contact_radius 0 0.001 101 load_n=1 load_elastic=1 load_adhesive=0 load_pull_off=0 temperature_base=293 temperature_follower=303", type)
set title "Heat from a follower that is warmer by 10 K"
set xlabel "radius of the circle, mm"
set ylabel "power into the base, W"
plot wide("Spot") using (1e3 * column("t")):"temperature_flow_base" title "k = 50 W/(m K)", \
     wide("Gas") using (1e3 * column("t")):"temperature_flow_base" title "and h = 1e5 W/(m^2 K)"

warm(type) = rig("./sweep temperature_follower 273 313 101 contact_radius=0.0005 load_n=1 load_elastic=1 load_adhesive=0 load_pull_off=0 temperature_base=293", type)
set title "Through a circle of 0.5 mm radius, base at 293 K"
set xlabel "temperature of the follower, K"
plot warm("Spot") using "t":"temperature_flow_base" title "k = 50 W/(m K)", \
     warm("Gas") using "t":"temperature_flow_base" title "and h = 1e5 W/(m^2 K)"
