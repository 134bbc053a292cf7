# SPDX-License-Identifier: MIT
load "style.gp"
# A body that comes in at the speed, turns 1 mm deep and leaves as fast.
hit(speed, type) = "< ./impact 0.001 " . speed . " | pcm rig granular.pcm " . type . " --motion -"
deep(t, speed) = 1e3 * 0.001 * sin(t * speed / 0.001)
set title "In and out again, Dissipation = 0.5 s/m"
set xlabel "depth, mm"
set ylabel "force, N"
plot hit("1", "Hunt") using (deep(column("t"), 1)):"force_n" title "1 m/s", \
     hit("0.3", "Hunt") using (deep(column("t"), 0.3)):"force_n" title "0.3 m/s"
set title "Dissipation = 0.1 s/m"
plot hit("1", "HuntLittle") using (deep(column("t"), 1)):"force_n" title "1 m/s", \
     hit("0.3", "HuntLittle") using (deep(column("t"), 0.3)):"force_n" title "0.3 m/s"
