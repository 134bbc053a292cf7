# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed 0.1 mm deep, twice, and pulled off.
run(type) = "< awk 'BEGIN { print \"t,depth,depth_rate\"; for (i = 0; i <= 800; i++) { s = i / 200; " . \
            "d = 1e-4 * (s < 1 ? s : s < 1.5 ? 1 - (s - 1) : s < 2.5 ? 0.5 + (s - 1.5) : 1.5 - (s - 2.5) * 1.2); " . \
            "print i * 1e-5 \",\" d \",0\" } }' | pcm rig granular.pcm " . type . " --motion -"
deep(t) = 0.1 * (t < 0.002 ? 500 * t : t < 0.003 ? 2 - 500 * t : t < 0.005 ? 500 * t - 1 : 4.5 - 600 * t)
set title "Pressed, let off, pressed deeper, pulled off"
set xlabel "depth, mm"
set ylabel "force, N"
set xrange [0:0.15]
set yrange [-10:20]
plot run("Luding") using (deep(column("t"))):"force_n" title "AdhesionStiffness = 100 N/mm"
set title "AdhesionStiffness = 0"
set yrange [*:*]
plot run("LudingDry") using (deep(column("t"))):"force_n" title "force", \
     run("LudingDry") using (deep(column("t"))):(1e4 * column("energy")) title "stored energy, 0.1 mJ"
