# SPDX-License-Identifier: MIT
load "style.gp"
# Approaching from a gap of 2 um, touching by 1 um, then pulled apart.
run(type) = "< awk 'BEGIN { print \"t,depth,radius\"; for (i = 0; i <= 600; i++) " . \
            "print i * 1e-5 \",\" (i < 300 ? -2e-6 + i * 1e-8 : 1e-6 - (i - 300) * 1e-8) \",0.001\" }' " . \
            "| pcm rig granular.pcm " . type . " --motion -"
set title "Force = 1 uN, Range = 1 um: to the touch, and apart again"
set xlabel "time, ms"
set ylabel "force, uN"
set yrange [-1.2:0.8]
plot run("Square") using (1e3 * column("t")):(1e6 * column("force_n")) title "AtRange", \
     run("SquareBond") using (1e3 * column("t")):(1e6 * column("force_n") - 0.02) title "AtTouch, drawn lower"
set title "Stored energy"
set ylabel "energy, pJ"
set key left bottom
set yrange [-3:1.5]
plot run("Square") using (1e3 * column("t")):(1e12 * column("energy")) title "AtRange", \
     run("SquareBond") using (1e3 * column("t")):(1e12 * column("energy")) title "AtTouch"
