# SPDX-License-Identifier: MIT
load "style.gp"
# Pulled at 1 um/s, at 10 um/s from 20 s on, and at 1 um/s again from 30 s on, under 100 N.
jump = "< awk 'BEGIN { print \"t,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off\"; for (i = 0; i <= 6000; i++) " . \
       "{ t = i * 0.01; print t \",\" (t < 20 || t > 30 ? 1e-6 : 1e-5) \",0,100,100,0,0\" } }' | pcm rig laws.pcm Rock --motion -"
set title "Speed from 1 um/s to 10 um/s and back, under 100 N"
set xlabel "time, s"
set ylabel "friction, N"
set xrange [10:60]
set key right bottom
plot jump using "t":(-column("force_x")) notitle
# Held for some time, then pulled again.
hold(time) = "< awk 'BEGIN { print \"t,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off\"; for (i = 0; i <= 6000; i++) " . \
       "{ t = i * 0.01; print t \",\" (t > 20 && t < 20 + " . time . " ? 0 : 1e-6) \",0,100,100,0,0\" } }' | pcm rig laws.pcm Rock --motion -"
set title "Pulled at 1 um/s, held, and pulled again"
plot hold("3") using "t":(-column("force_x")) title "held for 3 s", \
     hold("30") using "t":(-column("force_x")) title "30 s"
