# SPDX-License-Identifier: MIT
# Draws spheres.csv, which the program spheres writes: those behind first.
set terminal pngcairo size 680,520 font ",11"
set output "spheres.png"
set datafile separator ","
unset key; unset tics; unset border
set view 64, 28, 1.12
set view equal xyz
set palette defined (0 "#24386b", 0.5 "#3f8fb0", 1 "#f2c14e")
set cbrange [0:0.4]
set cblabel "speed [m/s]"
set cbtics 0.1
set colorbox user origin 0.86, 0.3 size 0.025, 0.4
set xyplane 0
set xrange [0:0.22]; set yrange [0:0.22]; set zrange [0:0.24]
splot "< awk -F, '{print (0.47*$1-0.88*$2)*0.9+0.44*$3 \",\" $0}' spheres.csv | sort -g" using 2:3:4 with points pt 7 ps 1.55 lc rgb "#1c2536", \
      "< awk -F, '{print (0.47*$1-0.88*$2)*0.9+0.44*$3 \",\" $0}' spheres.csv | sort -g" using 2:3:4:5 with points pt 7 ps 1.4 palette
