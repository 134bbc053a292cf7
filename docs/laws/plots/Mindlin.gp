# SPDX-License-Identifier: MIT
load "style.gp"
# Steel balls of 10 mm reduced radius, 2 um deep at most: E* = 1.1e11 Pa.
force(d) = "4 / 3 * 1.1e11 * sqrt(0.01) * " . d . " ^ 1.5"
row = "print t, d, v, 0, f, f, 0, 0, sqrt(0.01 * d), 1"
head = "BEGIN { OFS = \",\"; print \"t,depth,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off,contact_radius,mass\"; "
loop = "for (i = 0; i <= 400; i++) { t = i * 1e-4; "
# Pressed and pulled together, then the load goes by nine tenths, then the pull.
path = "d = i <= 200 ? 2e-6 : i <= 300 ? 2e-6 - 1.8e-6 * (i - 200) / 100 : 2e-7; v = i <= 200 ? 2e-5 : 0; " . \
       "f = " . force("d") . "; " . row . " } }"
run(type) = "< awk '" . head . loop . path . "' | pcm rig granular.pcm " . type . " --motion -"
set title "Pulled 0.4 um under 2 um depth, which then goes to 0.2 um"
set xlabel "time, ms"
set ylabel "force_x, N"
set key right bottom
set yrange [-16:0]
plot run("Displacement") using (1e3 * column("t")):"force_x" title "Displacement", \
     run("Force") using (1e3 * column("t")):"force_x" title "Force", \
     run("Rescale") using (1e3 * column("t")):"force_x" title "Rescale"

grow = "d = 2e-6 * (i + 1) / 401; v = 1e-5; f = " . force("d") . "; " . row . " } }"
together(type) = "< awk '" . head . loop . grow . "' | pcm rig granular.pcm " . type . " --motion -"
set yrange [-12:0]
set key left bottom
set title "Pressed and pulled together"
plot together("Displacement") using (1e3 * column("t")):"force_x" title "Displacement, Rescale", \
     together("Force") using (1e3 * column("t")):"force_x" title "Force, RescaleForce"
