# SPDX-License-Identifier: MIT
load "style.gp"
# Steel balls of 10 mm reduced radius, pressed 1 um deep and shifted to and fro: E* = 1.1e11 Pa.
force = 4 / 3.0 * 1.1e11 * sqrt(0.01) * 1e-6 ** 1.5
circle = sqrt(0.01 * 1e-6)
head = sprintf("BEGIN { OFS = \",\"; print \"t,depth,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off,contact_radius,mass\"; " . \
               "for (i = 0; i <= 500; i++) { v = i <= 100 ? 6e-5 : i <= 300 ? -6e-5 : 6e-5; " . \
               "print i * 1e-4, 1e-6, v, 0, %.9g, %.9g, 0, 0, %.9g, 1 } }", force, force, circle)
run(type) = "< awk '" . head . "' | pcm rig granular.pcm " . type . " --motion -"
shift(t) = t <= 0.01 ? 6e-5 * t : t <= 0.03 ? 6e-5 * (0.02 - t) : 6e-5 * (t - 0.04)
set title "1 um deep, shifted to and fro"
set xlabel "shift, um"
set ylabel "force_x, N"
set key left bottom
plot run("Twelve") using (1e6 * shift(column("t"))):"force_x" title "12 springs", \
     run("Eight") using (1e6 * shift(column("t"))):"force_x" title "8", \
     run("Three") using (1e6 * shift(column("t"))):"force_x" title "3", \
     run("Force") using (1e6 * shift(column("t"))):"force_x" title "Mindlin"
