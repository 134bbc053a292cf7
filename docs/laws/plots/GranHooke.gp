# SPDX-License-Identifier: MIT
load "style.gp"
# A grain of 10 g that comes in at 0.5 m/s, turns 0.3 mm deep and leaves as fast.
hit(type) = "< ./impact 0.0003 0.5 mass=0.01 slip_x=0 slip_y=0 | pcm rig granular.pcm " . type . " --motion -"
deep(t) = 0.3 * sin(t * 0.5 / 0.0003)
set title "In and out again"
set xlabel "depth, mm"
set ylabel "force, N"
plot hit("Hooke") using (deep(column("t"))):"force_n" title "by default", \
     hit("HookeLammps") using (deep(column("t"))):"force_n" title "LimitDamping = false"

slide(depth) = "< ./sweep slip_x -20 20 201 slip_y=0 mass=0.01 depth_rate=0 depth=" . depth . " | pcm rig granular.pcm Hooke --motion - --trial"
set title "Friction"
set xlabel "slip, m/s"
set key right top
plot slide("0.0001") using "t":"force_x" title "0.1 mm deep", slide("0.0002") using "t":"force_x" title "0.2 mm deep"
