# SPDX-License-Identifier: MIT
load "style.gp"
slide(type) = rig("./sweep slip_x -0.005 0.005 401 slip_y=0 load_n=100 load_elastic=100 load_adhesive=0 load_pull_off=0", type)
set title "Friction under 100 N, over vt = 1 mm/s"
set xlabel "slip, mm/s"
set ylabel "force, N"
set key right top
plot slide("Regularised") using (1e3 * column("t")):"force_x" title "Tanh", \
     slide("Ramp") using (1e3 * column("t")):"force_x" title "Linear", \
     slide("Root") using (1e3 * column("t")):"force_x" title "Root"

set title "With Stribeck's curve: 0.5 at low slip, 0.3 beyond"
plot slide("Curved") using (1e3 * column("t")):"force_x" title "vs = 2 mm/s"
