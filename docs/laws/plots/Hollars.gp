# SPDX-License-Identifier: MIT
load "style.gp"
slide(load, type) = rig("./sweep slip_x -0.006 0.006 401 slip_y=0 load_adhesive=0 load_pull_off=0 load_n=" . load . " load_elastic=" . load, type)
set title "Friction over the slip, vt = 1 mm/s"
set xlabel "slip, mm/s"
set ylabel "force, N"
set key right top
plot slide("100", "Kinked") using (1e3 * column("t")):"force_x" title "100 N", \
     slide("50", "Kinked") using (1e3 * column("t")):"force_x" title "50 N"

set title "With viscous friction, 100 N"
plot slide("100", "Viscous") using (1e3 * column("t")):"force_x" title "muv = 20 s/m", \
     slide("100", "Kinked") using (1e3 * column("t")):"force_x" title "muv = 0"
