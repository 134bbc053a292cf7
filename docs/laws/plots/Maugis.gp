# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed by 4 nm, then pulled off.
run(type) = "< awk 'BEGIN { print \"t,depth,radius\"; for (i = 0; i <= 400; i++) { s = i / 400; " . \
            "d = 4e-9 * (s < 0.4 ? s / 0.4 : 1 - (s - 0.4) / 0.3); print i * 1e-5 \",\" d \",1e-6\" } }' " . \
            "| pcm rig granular.pcm " . type . " --motion -"
depth(t) = 4 * (t < 0.0016 ? t / 0.0016 : 1 - (t - 0.0016) / 0.0012)
set title "Polystyrene, R = 1 um: pressed, then pulled off"
set xlabel "depth, nm"
set ylabel "force, uN"
set xrange [-4:4]
plot run("Stiffer") using (depth(column("t"))):(1e6 * column("force_n")) title "s0 = 10 MPa, L = 0.3", \
     run("Between") using (depth(column("t"))):(1e6 * column("force_n")) title "30 MPa, 0.9", \
     run("Softer") using (depth(column("t"))):(1e6 * column("force_n")) title "300 MPa, 9"
set title "Stored energy"
set ylabel "energy, fJ"
plot run("Stiffer") using (depth(column("t"))):(1e15 * column("energy")) title "s0 = 10 MPa, L = 0.3", \
     run("Between") using (depth(column("t"))):(1e15 * column("energy")) title "30 MPa, 0.9", \
     run("Softer") using (depth(column("t"))):(1e15 * column("energy")) title "300 MPa, 9"
