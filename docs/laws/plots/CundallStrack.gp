# SPDX-License-Identifier: MIT
load "style.gp"
# Dragged forth and back at 0.01 m/s, under a load of 10 N.
run(type) = "< awk 'BEGIN { print \"t,depth,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off,mass\"; for (i = 0; i <= 400; i++) " . \
            "print i * 1e-4 \",1e-4,\" 0.01 * (i <= 200 ? 1 : -1) \",0,10,10,0,0,0.01\" }' | pcm rig granular.pcm " . type . " --motion -"
way(t) = t <= 0.02 ? 10 * t : 10 * (0.04 - t)
set title "Friction, dragged forth and back"
set xlabel "distance, mm"
set ylabel "force_x, N"
set key left bottom
plot run("Linear") using (way(column("t"))):"force_x" title "TangentialDamping = 25/s", \
     run("LinearDamped") using (way(column("t"))):"force_x" title "TangentialDamping = 10^{4}/s", \
     run("LinearLammps") using (way(column("t"))):"force_x" title "the same, AsLammps"
