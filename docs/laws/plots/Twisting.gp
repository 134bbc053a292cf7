# SPDX-License-Identifier: MIT
load "style.gp"
# Spun forth and back at 10 rad/s on a circle of 0.1 mm.
spin(load, type) = "< awk 'BEGIN { print \"t,spin_x,spin_y,spin_n,contact_radius,load_n,load_elastic,load_adhesive,load_pull_off\"; for (i = 0; i <= 400; i++) " . \
       "print i * 1e-5 \",0,0,\" (i <= 200 ? 10 : -10) \",1e-4," . load . "," . load . ",0,0\" }' | pcm rig granular.pcm " . type . " --motion -"
angle(t) = 1e4 * (t <= 0.002 ? t : 0.004 - t)
set title "Spun forth and back on a circle of 0.1 mm, under 20 N"
set xlabel "angle, mrad"
set ylabel "moment, mN*m"
set key right top
plot spin("20", "Twisting") using (angle(column("t"))):(1e3 * column("moment_n")) title "Hertz", \
     spin("20", "TwistingUniform") using (angle(column("t"))):(1e3 * column("moment_n")) title "Uniform"

set title "Other loads"
plot spin("20", "Twisting") using (angle(column("t"))):(1e3 * column("moment_n")) title "20 N", \
     spin("10", "Twisting") using (angle(column("t"))):(1e3 * column("moment_n")) title "10 N"
