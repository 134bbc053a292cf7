# SPDX-License-Identifier: MIT
load "style.gp"
# Rolled forth and back at 1 rad/s under loads, with a reduced radius of 5 mm.
roll(load) = "< awk 'BEGIN { print \"t,spin_x,spin_y,spin_n,radius,load_n,load_elastic,load_adhesive,load_pull_off\"; for (i = 0; i <= 400; i++) " . \
       "print i * 1e-4 \",\" (i <= 200 ? 1 : -1) \",0,0,0.005," . load . "," . load . ",0,0\" }' | pcm rig granular.pcm Rolling --motion -"
angle(t) = 1e3 * (t <= 0.02 ? t : 0.04 - t)
set title "Rolled forth and back"
set xlabel "angle, mrad"
set ylabel "moment, mN*m"
set key right top
plot roll("1") using (angle(column("t"))):(1e3 * column("moment_x")) title "load 1 N", \
     roll("0.5") using (angle(column("t"))):(1e3 * column("moment_x")) title "0.5 N"

set title "Energy"
set ylabel "energy, uJ"
set key left top
plot roll("1") using (angle(column("t"))):(1e6 * column("energy")) title "load 1 N", \
     roll("0.5") using (angle(column("t"))):(1e6 * column("energy")) title "0.5 N"
