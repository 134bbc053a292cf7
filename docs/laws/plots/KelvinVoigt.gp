# SPDX-License-Identifier: MIT
load "style.gp"
# A body that comes in at the speed, turns 1 mm deep and leaves as fast.
hit(speed, type) = "< ./impact 0.001 " . speed . " | pcm rig granular.pcm " . type . " --motion -"
deep(t, speed) = 1e3 * 0.001 * sin(t * speed / 0.001)
set title "In and out again, clipped"
set xlabel "depth, mm"
set ylabel "force, N"
plot hit("0.5", "Kelvin") using (deep(column("t"), 0.5)):"force_n" title "0.5 m/s", \
     hit("0.1", "Kelvin") using (deep(column("t"), 0.1)):"force_n" title "0.1 m/s"
set title "In and out again, Clip = false"
plot hit("0.5", "KelvinPulls") using (deep(column("t"), 0.5)):"force_n" title "0.5 m/s", \
     hit("0.1", "KelvinPulls") using (deep(column("t"), 0.1)):"force_n" title "0.1 m/s"
