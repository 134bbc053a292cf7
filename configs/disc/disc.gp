# SPDX-License-Identifier: MIT
# Draws the rolling disc's way over the ground, from a run:
#   pcm run disc.xml disc.pcm --keyframe start --time 1.5 --solver cvode --rtol 1e-8 --atol 1e-10 \
#       --every 0.001 --log RUN --out RUN/disc_out.csv
#   gnuplot -e "run='RUN'; picture='disc.png'" disc.gp
if (!exists("run")) run = "."
if (!exists("picture")) picture = "disc.png"

set terminal pngcairo size 1400,900 font "Sans,11"
set output picture
set datafile separator comma

sticking = "#1f77b4"; slipping = "#d62728"; way = "#999999"
log = run."/rim.csv"
in_mode(how, value) = strcol("mode") eq how ? value : NaN

# Rows at which a point begins to carry: the first of its contact, and those after a row without force.
touches = "< awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == \"mode\") m = i; print; next } ".\
          "{ if ($m != \"separated\" && last[$2] != \"touching\") print; ".\
          "last[$2] = $m == \"separated\" ? \"apart\" : \"touching\" }' '".log."'"

set multiplot layout 2,1 title "The rolling disc: 32 points on slippery, compliant ground" font "Sans,15" \
    margins 0.07,0.98,0.075,0.90 spacing 0.05,0.11
set grid back lt 1 lc "#dddddd"
set tics nomirror
set border 3
set key at screen 0.98,0.955 right horizontal maxrows 1 samplen 2

set xlabel "x [m]"
set ylabel "y [m]"
set title "way over the ground" offset 0,-0.6 font "Sans-Bold,12"
plot run."/disc_out.csv" using "disc.x":"disc.y" with lines lw 2 lc rgb way title "the disc's centre", \
     log using "point_x [m]":(in_mode("sticking", column("point_y [m]"))) with points pt 7 ps 0.5 lc rgb sticking notitle, \
     log using "point_x [m]":(in_mode("slipping", column("point_y [m]"))) with points pt 7 ps 0.5 lc rgb slipping notitle, \
     touches using "point_x [m]":"point_y [m]" with points pt 6 ps 1.6 lw 1.5 lc "black" title "touch-down", \
     keyentry with lines lw 4 lc rgb sticking title "point sticks", \
     keyentry with lines lw 4 lc rgb slipping title "point slips"

unset key
set xlabel "time [s]"
set ylabel "normal force [N]"
set title "each point's force" offset 0,-0.6 font "Sans-Bold,12"
set yrange [0.1:100]
set logscale y
plot log using "time [s]":(in_mode("sticking", column("force_n [N]"))) with points pt 7 ps 0.5 lc rgb sticking, \
     log using "time [s]":(in_mode("slipping", column("force_n [N]"))) with points pt 7 ps 0.5 lc rgb slipping
unset multiplot
