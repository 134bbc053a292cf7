# SPDX-License-Identifier: MIT
# gnuplot -e "csv='transfer.csv'; png='transfer.png'" transfer.gp
set terminal pngcairo size 1100, 460 font "sans,11"
set output png
set datafile separator ","
set key noautotitle
set grid

set multiplot
set origin 0, 0
set size 0.42, 1
set title "Friction on the box, by the library's own loop"
set xlabel "t, s"
set ylabel "N"
set xrange [0:0.7]
plot csv using 1:4 with lines lc rgb "#1f4e79" lw 2

set origin 0.42, 0
set size 0.58, 1
set title "How far the box of each engine is from that loop's"
set ylabel "m"
set logscale y
set format y "10^{%T}"
set yrange [1e-18:1e-1]
set key outside right center
colours = "#1f4e79 #c55a11 #2e7d32 #7b1fa2 #f9a825 #7f7f7f #00838f #b71c1c"
names = "MuJoCo PyBullet Drake DART ODE DART/Bullet DART/ODE DART/plane"
plot for [k = 1:words(names)] csv using 1:(column(word(names, k)." off") + 1e-30) with lines \
     lw (k == 1 || k == 5 ? 5 : 2) lc rgb word(colours, k) title word(names, k)
unset multiplot
