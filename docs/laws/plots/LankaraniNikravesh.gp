# SPDX-License-Identifier: MIT
load "style.gp"
# A body that comes in at the speed, turns 1 mm deep and leaves as fast.
hit(speed, type) = "< ./impact 0.001 " . speed . " | pcm rig granular.pcm " . type . " --motion -"
deep(t, speed) = 1e3 * 0.001 * sin(t * speed / 0.001)
set title "In and out again, Restitution = 0.9"
set xlabel "depth, mm"
set ylabel "force, N"
plot hit("1", "Lankarani") using (deep(column("t"), 1)):"force_n" title "1 m/s"
set title "Restitution = 0.5"
plot hit("1", "LankaraniLow") using (deep(column("t"), 1)):"force_n" title "by default", \
     hit("1", "LankaraniPrinted") using (deep(column("t"), 1)):"force_n" title "NominalRestitution = true"
