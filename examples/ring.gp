# SPDX-License-Identifier: MIT
# gnuplot -e "csv='ring.csv'; points='ring-points.csv'; png='ring.png'" ring.gp
set terminal pngcairo size 1000, 520 font "sans,11"
set output png
set datafile separator ","
set key autotitle columnhead
unset key

r = 0.1
n = 48
step = 2 * pi / n

set multiplot
set origin -0.02, 0
set size 0.58, 1
set view 68, 20, 0.95
set view equal xyz
set xyplane at 0
set xrange [-0.21:0.21]
set yrange [-0.21:0.21]
set zrange [0:0.65]
set xtics 0.2
set ytics 0.2
set ztics 0.2
set xlabel "x, m"
set ylabel "y, m"
set zlabel "z, m"
set title "A ring is thrown over a pyramid"
do for [k = 0:5] {
    set arrow from 0.2 * cos(k * pi / 3), 0.2 * sin(k * pi / 3), 0 to 0, 0, 0.5 nohead lc rgb "#70ad47" lw 2
    set arrow from 0.2 * cos(k * pi / 3), 0.2 * sin(k * pi / 3), 0 \
              to 0.2 * cos((k + 1) * pi / 3), 0.2 * sin((k + 1) * pi / 3), 0 nohead lc rgb "#70ad47" lw 2
}
splot for [k = 0:n - 1] csv every 5::0::55 using \
          ($2 + r * (cos(k * step) * $5 + sin(k * step) * $8)): \
          ($3 + r * (cos(k * step) * $6 + sin(k * step) * $9)): \
          ($4 + r * (cos(k * step) * $7 + sin(k * step) * $10)): \
          (r * (cos((k + 1) * step) - cos(k * step)) * $5 + r * (sin((k + 1) * step) - sin(k * step)) * $8): \
          (r * (cos((k + 1) * step) - cos(k * step)) * $6 + r * (sin((k + 1) * step) - sin(k * step)) * $9): \
          (r * (cos((k + 1) * step) - cos(k * step)) * $7 + r * (sin((k + 1) * step) - sin(k * step)) * $10) \
          with vectors nohead lc rgb "#9db8d6" lw 1, \
      points using 2:3:4 with points pt 7 ps 0.5 lc rgb "#1f4e79", \
      points using 2:3:($5 > 0 ? $4 : NaN) with points pt 7 ps 1.3 lc rgb "#c55a11"
unset arrow

set autoscale
set grid
set origin 0.54, 0.5
set size 0.46, 0.5
set title "Height of the ring, m"
set xtics auto
set ytics auto
unset ylabel
set xrange [0:1.2]
set yrange [0.2:0.65]
set xlabel "t, s"
plot csv using 1:4 with lines lc rgb "#1f4e79" lw 2, 0.25 with lines lc rgb "#7f7f7f" dt 2
set origin 0.54, 0
set title "At rest: normal force at each point of the cloud, N"
set xrange [-1:72]
set yrange [0:1]
set xlabel "point"
plot points using 1:8 with impulses lc rgb "#c55a11" lw 2
unset multiplot
