# SPDX-License-Identifier: MIT
load "style.gp"
press(type) = "< ./sweep depth -0.000004 0.00002 241 radius=0.01 | pcm rig granular.pcm " . type . " --motion - --trial"
set title "Normal force, R = 10 mm"
set xlabel "depth, um"
set ylabel "force, mN"
plot press("Dmt") using (1e6 * column("t")):(1e3 * column("force_n")) title "Dmt", \
     press("Jkr") using (1e6 * column("t")):(1e3 * column("force_n")) title "Jkr"
set title "Energy"
set ylabel "energy, uJ"
plot press("Dmt") using (1e6 * column("t")):(1e6 * column("energy")) title "Dmt", \
     press("Jkr") using (1e6 * column("t")):(1e6 * column("energy")) title "Jkr"
