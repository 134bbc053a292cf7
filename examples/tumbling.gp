# SPDX-License-Identifier: MIT
# gnuplot -e "csv='tumbling.csv'; png='tumbling.png'" tumbling.gp
set terminal pngcairo size 1000, 620 font "sans,11"
set output png
set datafile separator ","
set key autotitle columnhead
unset key

hill(x, y) = 0.07 * sin(3 * x) * cos(y) - 0.35 * x + 0.25 * y * y
h = "0.25 0.15 0.1"

set multiplot
set origin 0, 0.27
set size 1, 0.74
set lmargin 0
set rmargin 0
set view 58, 338, 2.05
set view equal xyz
set xyplane at -0.9
set xrange [-1:3]
set yrange [-1.5:1.5]
set zrange [-0.9:1]
set xlabel "x, m"
set ylabel "y, m"
set zlabel "z, m"
set xtics 1
set ytics 1
set ztics 1
set isosamples 50, 30
set hidden3d front
set title "A box, as a cloud of 26 points, tumbles down a grid surface"

# The edges along each axis, at every nineteenth row: the middle, plus or minus the other two half axes.
sa(i) = i & 1 ? 1 : -1
sb(i) = i & 2 ? 1 : -1
splot for [i = 0:3] csv every 19 using \
          ($2 - 0.25 * $5 + sa(i) * 0.15 * $8 + sb(i) * 0.1 * $11): \
          ($3 - 0.25 * $6 + sa(i) * 0.15 * $9 + sb(i) * 0.1 * $12): \
          ($4 - 0.25 * $7 + sa(i) * 0.15 * $10 + sb(i) * 0.1 * $13): \
          (0.5 * $5):(0.5 * $6):(0.5 * $7) with vectors nohead lc rgb "#1f4e79" lw 1.4, \
      for [i = 0:3] csv every 19 using \
          ($2 + sa(i) * 0.25 * $5 - 0.15 * $8 + sb(i) * 0.1 * $11): \
          ($3 + sa(i) * 0.25 * $6 - 0.15 * $9 + sb(i) * 0.1 * $12): \
          ($4 + sa(i) * 0.25 * $7 - 0.15 * $10 + sb(i) * 0.1 * $13): \
          (0.3 * $8):(0.3 * $9):(0.3 * $10) with vectors nohead lc rgb "#1f4e79" lw 1.4, \
      for [i = 0:3] csv every 19 using \
          ($2 + sa(i) * 0.25 * $5 + sb(i) * 0.15 * $8 - 0.1 * $11): \
          ($3 + sa(i) * 0.25 * $6 + sb(i) * 0.15 * $9 - 0.1 * $12): \
          ($4 + sa(i) * 0.25 * $7 + sb(i) * 0.15 * $10 - 0.1 * $13): \
          (0.2 * $11):(0.2 * $12):(0.2 * $13) with vectors nohead lc rgb "#1f4e79" lw 1.4, \
      csv using 2:3:4 with lines lc rgb "#c55a11" lw 2, \
      hill(x, y) with lines lc rgb "#9dc08b" lw 0.6

unset title
set origin 0.02, 0
set size 0.96, 0.28
set autoscale
set lmargin 8
set rmargin 8
set xrange [0:2.2]
set xlabel "t, s"
set ylabel "energy, J"
set y2label "normal force, N" tc rgb "#c55a11"
set ytics auto nomirror
set y2tics
set xtics 0.5
plot csv using 1:14 with lines lc rgb "#1f4e79" lw 2, \
     csv using 1:17 axes x1y2 with impulses lc rgb "#c55a11"
unset multiplot
