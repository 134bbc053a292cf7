# SPDX-License-Identifier: MIT
load "style.gp"
# A bond that is there from the beginning, sheared or pulled at 1 mm/s.
move(slip, pull) = "< awk 'BEGIN { print \"t,depth,slip_x,slip_y,spin_x,spin_y,spin_n,fresh\"; for (i = 0; i <= 300; i++) " . \
       "print i * 5e-5 \",\" (-i * 5e-8 * " . pull . ") \"," . slip . ",0,0,0,0,1\" }' | pcm rig granular.pcm Bond --motion -"
set title "A bond that is pulled or sheared"
set xlabel "way, um"
set ylabel "force, N"
set yrange [-40:15]
plot move("0", "1") using (1e3 * column("t")):"force_n" title "pulled: force_n", \
     move("0.001", "0") using (1e3 * column("t")):"force_x" title "sheared: force_x"
set title "Stored energy"
set ylabel "energy, mJ"
set autoscale y
plot move("0", "1") using (1e3 * column("t")):(1e3 * column("energy")) title "pulled", \
     move("0.001", "0") using (1e3 * column("t")):(1e3 * column("energy")) title "sheared"
