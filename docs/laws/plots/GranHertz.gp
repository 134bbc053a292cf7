# SPDX-License-Identifier: MIT
load "style.gp"
press(rate) = "< ./sweep depth -0.00002 0.0002 111 slip_x=0 slip_y=0 stretch_x=0 stretch_y=0 stored=0 mass=0.01 radius=0.005 depth_rate=" . rate . " | pcm rig granular.pcm Granular --motion - --trial"
set title "Normal force"
set xlabel "depth, mm"
set ylabel "force, N"
plot press("3") using (1e3 * column("t")):"force_n" title "approaching at 3 m/s", \
     press("0") using (1e3 * column("t")):"force_n" title "at rest", \
     press("-3") using (1e3 * column("t")):"force_n" title "parting at 3 m/s"

# Dragged forth and back at 0.01 m/s.
drag(depth) = "< awk 'BEGIN { print \"t,depth,depth_rate,slip_x,slip_y,mass,radius\"; for (i = 0; i <= 400; i++) " . \
       "print i * 1e-4 \"," . depth . ",0,\" 0.01 * (i <= 200 ? 1 : -1) \",0,0.01,0.005\" }' | pcm rig granular.pcm Granular --motion -"
way(t) = t <= 0.02 ? 10 * t : 10 * (0.04 - t)
set title "Friction, dragged forth and back"
set xlabel "distance, mm"
set key left bottom
plot drag("0.0001") using (way(column("t"))):"force_x" title "0.1 mm deep", \
     drag("0.0002") using (way(column("t"))):"force_x" title "0.2 mm deep"
