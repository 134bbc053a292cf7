# SPDX-License-Identifier: MIT
load "style.gp"
# A body that comes in at the speed, turns 0.1 mm deep and leaves as fast.
hit(speed, type) = "< ./impact 0.0001 " . speed . " radius=0.01 mass=0.01 | pcm rig granular.pcm " . type . " --motion -"
deep(t, speed) = 1e3 * 0.0001 * sin(t * speed / 0.0001)
set title "In and out again, Restitution = 0.8"
set xlabel "depth, mm"
set ylabel "force, N"
plot hit("1", "Tsuji") using (deep(column("t"), 1)):"force_n" title "at 1 m/s", \
     hit("5", "Tsuji") using (deep(column("t"), 5)):"force_n" title "at 5 m/s"
set title "Restitution = 0.2, at 3 m/s"
plot hit("3", "TsujiLow") using (deep(column("t"), 3)):"force_n" title "Clipped", \
     hit("3", "TsujiPulls") using (deep(column("t"), 3)):"force_n" title "Unclipped", \
     hit("3", "TsujiNominal") using (deep(column("t"), 3)):"force_n" title "ClippedNominal"
