# SPDX-License-Identifier: MIT
# gnuplot -e "csv='rolling.csv'; png='rolling.png'" rolling.gp
set terminal pngcairo size 1000, 520 font "sans,11"
set output png
set datafile separator ","
set key autotitle columnhead
unset key

r = 0.1
n = 48
step = 2 * pi / n

set multiplot
set origin -0.04, 0
set size 0.62, 1
set view 60, 30, 1.25
set view equal xyz
set xyplane at 0
set xrange [-0.4:0.4]
set yrange [-0.4:0.4]
set zrange [0:0.2]
set xtics 0.2
set ytics 0.2
set ztics 0.1
set grid xtics ytics
set xlabel "x, m"
set ylabel "y, m"
set title "A coin rolls in a circle"
splot csv using 15:16:(0) with lines lc rgb "#c55a11" lw 2, \
      csv using 2:3:4 with lines lc rgb "#7f7f7f" dt 2, \
      for [k = 0:n - 1] csv every 43 using \
          ($2 + r * (cos(k * step) * $5 + sin(k * step) * $8)): \
          ($3 + r * (cos(k * step) * $6 + sin(k * step) * $9)): \
          ($4 + r * (cos(k * step) * $7 + sin(k * step) * $10)): \
          (r * (cos((k + 1) * step) - cos(k * step)) * $5 + r * (sin((k + 1) * step) - sin(k * step)) * $8): \
          (r * (cos((k + 1) * step) - cos(k * step)) * $6 + r * (sin((k + 1) * step) - sin(k * step)) * $9): \
          (r * (cos((k + 1) * step) - cos(k * step)) * $7 + r * (sin((k + 1) * step) - sin(k * step)) * $10) \
          with vectors nohead lc rgb "#1f4e79" lw 1.5, \
      csv every 43 using 2:3:4:(r * $5):(r * $6):(r * $7) with vectors nohead lc rgb "#1f4e79" lw 1

unset grid
set grid
set origin 0.56, 0.5
set size 0.44, 0.5
set autoscale
set xtics auto
set ytics auto
set title "Lean, degrees from the plane"
set xlabel "t, s"
unset ylabel
set yrange [71:72.2]
plot csv using 1:(acos(abs($13)) * 180 / pi) with lines lc rgb "#1f4e79" lw 2, \
     1.25 * 180 / pi with lines lc rgb "#7f7f7f" dt 2
set origin 0.56, 0
set title "Normal force and friction, N"
set yrange [0:8]
plot csv every ::2 using 1:18 with lines lc rgb "#1f4e79" lw 2, \
     csv every ::2 using 1:19 with lines lc rgb "#c55a11" lw 2
unset multiplot
