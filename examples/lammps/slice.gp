# SPDX-License-Identifier: MIT
# Slices through grains of LAMMPS's dumps (type radius x y z), as circles whose colours are the types, beside one another.
# usage: gnuplot -e "first='A.dump'; second='B.dump'; png='OUT.png'; at=0; left=-1; right=1; low=-1; high=1; types=5; walls='WALLS'" slice.gp
# `walls` is a file of lines in the plane of the slice, y = at.
set terminal pngcairo size 1200, 1200.0 * (high - low) / (right - left) / 2 enhanced background 'white'
set output png
set multiplot layout 1, 2 margins 0.01, 0.99, 0.01, 0.99 spacing 0.01
set xrange [left:right]
set yrange [low:high]
set size ratio -1
unset key
unset tics
unset colorbox
set style fill solid border lc rgb '#303030'
set cbrange [1:types]
set palette defined (0 '#7b5cc4', 0.2 '#4686fb', 0.4 '#1ae4b6', 0.6 '#a4fc3c', 0.8 '#fb7e21', 1 '#7a0403')
cut(radius, y) = sqrt(radius ** 2 - (y - at) ** 2)
where(radius, x, y) = abs(y - at) < radius ? x : NaN
do for [shot in first . ' ' . second] {
    plot shot skip 9 using (where($2, $3, $4)):5:(cut($2, $4)):1 with circles lc palette, walls using 1:2 with lines lw 2 lc rgb '#404040'
}
unset multiplot
