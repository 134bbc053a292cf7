# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed and pulled off again, R = 10 mm.
run(type) = "< awk 'BEGIN { print \"t,depth,radius\"; for (i = 0; i <= 600; i++) " . \
            "print i * 1e-5 \",\" (i < 100 ? 2e-5 * (i - 50) / 50 : 2e-5 - (i - 100) * 2e-5 / 150) \",0.01\" }' | pcm rig granular.pcm " . type . " --motion -"
deep(t) = 20 * (t < 0.001 ? 2000 * t - 1 : 1 - (t - 0.001) * 1e5 / 150)
set title "Pressed and pulled off again, R = 10 mm"
set xlabel "depth, um"
set ylabel "force, mN"
set xrange [-10:20]
plot run("Jkr") using (deep(column("t"))):(1e3 * column("force_n")) title "MinOverlap", \
     run("JkrLammps") using (deep(column("t"))):(1e3 * column("force_n")) title "PullOff"
set title "Energy"
set ylabel "energy, uJ"
plot run("Jkr") using (deep(column("t"))):(1e6 * column("energy")) title "MinOverlap", \
     run("JkrLammps") using (deep(column("t"))):(1e6 * column("energy")) title "PullOff"
