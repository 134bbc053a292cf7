# SPDX-License-Identifier: MIT
load "style.gp"
press(type) = "< ./sweep depth -0.000002 0.000026 281 radius=0.01 | pcm rig granular.pcm " . type . " --motion - --trial"
set title "Hertz + LinearCohesion, E* = 1 MPa, R = 10 mm, k = 10 kJ/m³"
set xlabel "depth, um"
set ylabel "force, mN"
set xrange [-2:26]
plot press("SoftHertz") using (1e6 * column("t")):(1e3 * column("force_n")) title "Hertz", \
     press("Coheres") using (1e6 * column("t")):(1e3 * column("force_n")) title "AreaFactor = 1", \
     press("CoheresWidely") using (1e6 * column("t")):(1e3 * column("force_n")) title "AreaFactor = 2"
set title "Stored energy"
set ylabel "energy, nJ"
plot press("SoftHertz") using (1e6 * column("t")):(1e9 * column("energy")) title "Hertz", \
     press("Coheres") using (1e6 * column("t")):(1e9 * column("energy")) title "AreaFactor = 1", \
     press("CoheresWidely") using (1e6 * column("t")):(1e9 * column("energy")) title "AreaFactor = 2"
