# SPDX-License-Identifier: MIT
load "style.gp"
press(type) = rig("./sweep depth -0.000005 0.0000005 111 area=0.001 temperature_base=293 temperature_follower=303", type)
set title "Steel on 10 cm^2, roughness 1 um"
set xlabel "separation of the mean planes, um"
set ylabel "pressure, MPa"
set logscale y
set format y "10^{%L}"
set key right top
plot press("Rough") using (-1e6 * column("t")):(1e-3 * column("force_n")) title "1e10 summits per m^2", \
     press("Smoother") using (-1e6 * column("t")):(1e-3 * column("force_n")) title "Persson, p0 = 0.1 GPa"
set title "Heat through it at 10 K"
set xlabel "pressure, MPa"
set ylabel "power, W"
set logscale x
set format x "10^{%L}"
set key left top
plot press("Rough") using (1e-3 * column("force_n")):"temperature_flow_base" title "1e10 summits per m^2", \
     press("Smoother") using (1e-3 * column("force_n")):"temperature_flow_base" title "Persson, p0 = 0.1 GPa"
