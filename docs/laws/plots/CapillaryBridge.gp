# SPDX-License-Identifier: MIT
load "style.gp"
# Touching by 10 um, then pulled apart.
run(type) = "< awk 'BEGIN { print \"t,depth,radius\"; for (i = 0; i <= 300; i++) " . \
            "print i * 1e-5 \",\" 1e-5 - i * 6e-7 \",0.001\" }' | pcm rig granular.pcm " . type . " --motion -"
gap(t) = 60 * t - 0.01
set title "A nanolitre of water between spheres, Rr = 1 mm"
set xtics 0.04
set xlabel "gap, mm"
set ylabel "force, mN"
set key right bottom
plot run("Bridge") using (gap(column("t"))):(1e3 * column("force_n")) title "ContactAngle = 0", \
     run("BridgeAngle") using (gap(column("t"))):(1e3 * column("force_n")) title "1 rad"
set title "Stored energy"
set ylabel "energy, uJ"
plot run("Bridge") using (gap(column("t"))):(1e6 * column("energy")) title "ContactAngle = 0", \
     run("BridgeAngle") using (gap(column("t"))):(1e6 * column("energy")) title "1 rad"
