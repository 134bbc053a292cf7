# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed 0.1 mm deep, let off until it pulls, pressed again and pulled off.
run(type) = "< awk 'BEGIN { print \"t,depth,radius\"; for (i = 0; i <= 800; i++) { s = i / 200; " . \
            "d = 1e-4 * (s < 1 ? s : s < 1.7 ? 2 - s : s < 2.5 ? 0.3 + (s - 1.7) : 1.1 - (s - 2.5) * 0.8); " . \
            "print i * 1e-5 \",\" d \",0.005\" } }' | pcm rig granular.pcm " . type . " --motion -"
deep(t) = 0.1 * (t < 0.002 ? 500 * t : t < 0.0034 ? 2 - 500 * t : t < 0.005 ? 500 * t - 1.4 : 3.1 - 400 * t)
set title "Pressed, let off, pressed deeper, pulled off"
set xlabel "depth, mm"
set ylabel "force, N"
set xrange [0:0.12]
plot run("Powder") using (deep(column("t"))):"force_n" title "AdhesionStiffness = 5e6 N/m^{1.5}", \
     run("PowderDry") using (deep(column("t"))):"force_n" title "AdhesionStiffness = 0"
