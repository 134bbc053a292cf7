# SPDX-License-Identifier: MIT
load "style.gp"
press(radius) = "< ./sweep depth -0.00002 0.0002 111 radius=" . radius . " | pcm rig granular.pcm Hertz --motion - --trial"
set title "Steel on steel"
set xlabel "depth, mm"
set ylabel "force, kN"
plot press("0.05") using (1e3 * column("t")):(1e-3 * column("force_n")) title "reduced radius 50 mm", \
     press("0.01") using (1e3 * column("t")):(1e-3 * column("force_n")) title "10 mm"

set title "Energy"
set ylabel "energy, J"
plot press("0.05") using (1e3 * column("t")):"energy" title "reduced radius 50 mm", \
     press("0.01") using (1e3 * column("t")):"energy" title "10 mm"
