# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed by 20 nm, then pulled off.
run(type) = "< awk 'BEGIN { print \"t,depth,radius\"; for (i = 0; i <= 400; i++) { s = i / 400; " . \
            "d = 2e-8 * (s < 0.4 ? s / 0.4 : 1 - (s - 0.4) / 0.3); print i * 1e-5 \",\" d \",1e-6\" } }' " . \
            "| pcm rig granular.pcm " . type . " --motion -"
depth(t) = 20 * (t < 0.0016 ? t / 0.0016 : 1 - (t - 0.0016) / 0.0012)
set title "E* = 50 MPa, R = 1 um: pressed, then pulled off"
set xlabel "depth, nm"
set ylabel "force, uN"
set xrange [-20:20]
set key right bottom
plot run("Stiffer") using (depth(column("t"))):(1e6 * column("force_n")) title "s0 = 1 MPa, L = 0.23", \
     run("Between") using (depth(column("t"))):(1e6 * column("force_n")) title "4 MPa, 0.9", \
     run("Softer") using (depth(column("t"))):(1e6 * column("force_n")) title "40 MPa, 9"
set title "Stored energy"
set ylabel "energy, fJ"
set key right top
plot run("Stiffer") using (depth(column("t"))):(1e15 * column("energy")) title "s0 = 1 MPa, L = 0.23", \
     run("Between") using (depth(column("t"))):(1e15 * column("energy")) title "4 MPa, 0.9", \
     run("Softer") using (depth(column("t"))):(1e15 * column("energy")) title "40 MPa, 9"
