# SPDX-License-Identifier: MIT
load "style.gp"
# Rests for a while under 100 N, then is dragged ever faster: 10 mm/s^2.
drag(rest) = "< awk 'BEGIN { print \"t,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off\"; " . \
       "for (i = 0; i <= 100; i++) print i * " . rest . " / 100 \",0,0,100,100,0,0\"; " . \
       "for (i = 1; i <= 600; i++) print " . rest . " + i * 5e-4 \",\" i * 5e-6 \",0,100,100,0,0\" }' " . \
       "| pcm rig laws.pcm Rests --motion -"
set title "Dragged with 10 mm/s^2 after a rest, DwellTime = 200 ms"
set xlabel "time from the start, s"
set ylabel "force, N"
set key right top
set xrange [-0.05:0.3]
plot drag("0.6") using (column("t") - 0.6):"force_x" title "after 0.6 s", \
     drag("0.01") using (column("t") - 0.01):"force_x" title "after 10 ms"

set title "Share of the strength that rest adds"
set ylabel "dwell"
set yrange [0:1.05]
plot drag("0.6") using (column("t") - 0.6):"dwell" title "after 0.6 s", \
     drag("0.01") using (column("t") - 0.01):"dwell" title "after 10 ms"
