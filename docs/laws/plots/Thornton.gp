# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed 0.01 mm deep, twice, and pulled off.
run(type) = "< awk 'BEGIN { print \"t,depth,depth_rate,radius\"; for (i = 0; i <= 800; i++) { s = i / 200; " . \
            "d = 1e-5 * (s < 1 ? s : s < 1.5 ? 1 - (s - 1) : s < 2.5 ? 0.5 + (s - 1.5) : 1.5 - (s - 2.5) * 1.2); " . \
            "print i * 1e-5 \",\" d \",0,0.005\" } }' | pcm rig granular.pcm " . type . " --motion -"
deep(t) = 10 * (t < 0.002 ? 500 * t : t < 0.003 ? 2 - 500 * t : t < 0.005 ? 500 * t - 1 : 4.5 - 600 * t)
set title "Steel, R = 5 mm: pressed, let off, pressed deeper, let go"
set xlabel "depth, um"
set ylabel "force, N"
set xrange [0:15]
plot run("Yields") using (deep(column("t"))):"force_n" title "YieldPressure = 1 GPa", \
     run("Elastic") using (deep(column("t"))):"force_n" title "Hertz"
set title "Stored energy"
set ylabel "energy, mJ"
plot run("Yields") using (deep(column("t"))):(1e3 * column("energy")) title "YieldPressure = 1 GPa", \
     run("Elastic") using (deep(column("t"))):(1e3 * column("energy")) title "Hertz"
