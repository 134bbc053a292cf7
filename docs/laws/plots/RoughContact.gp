# SPDX-License-Identifier: MIT
load "style.gp"
press(type) = rig("./sweep depth -0.000005 0 111 area=0.001 temperature_base=293 temperature_follower=303", type)
set title "Steel on 10 cm^2, roughness 1 um"
set xlabel "separation of the mean planes, um"
set ylabel "pressure, MPa"
set logscale y
set format y "%g"
set key right top
plot press("Rough") using (-1e6 * column("t")):(1e-3 * column("force_n")) title "Greenwood and Williamson", \
     press("Smoother") using (-1e6 * column("t")):(1e-3 * column("force_n")) title "Persson"
set title "Heat through it at 10 K"
set xlabel "pressure, MPa"
set ylabel "power, W"
set logscale x
set format x "%g"
set xtics 100
set key left top
plot press("Rough") using (1e-3 * column("force_n")):"temperature_flow_base" title "Greenwood and Williamson", \
     press("Smoother") using (1e-3 * column("force_n")):"temperature_flow_base" title "Persson"
