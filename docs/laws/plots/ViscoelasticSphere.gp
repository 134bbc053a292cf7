# SPDX-License-Identifier: MIT
load "style.gp"
# Half a sine of 1 mm depth, in different times.
run(last) = "< awk 'BEGIN { print \"t,depth,radius\"; for (i = 0; i <= 400; i++) " . \
            "print i * " . last . " / 400 \",\" 1e-3 * sin(3.14159265 * i / 400) \",0.02\" }' " . \
            "| pcm rig granular.pcm Relaxes --motion -"
deep(t, last) = sin(pi * t / last)
set title "R = 20 mm, tau = 0.1 s: 1 mm deep and back"
set xlabel "depth, mm"
set ylabel "force, N"
plot run("0.01") using (deep(column("t"), 0.01)):"force_n" title "in 10 ms", \
     run("0.2") using (deep(column("t"), 0.2)):"force_n" title "200 ms", \
     run("10.0") using (deep(column("t"), 10.0)):"force_n" title "10 s"
set title "Depth of the circle, a^2/R"
set ylabel "mm"
plot run("0.01") using (deep(column("t"), 0.01)):(1e3 * column("edge")) title "in 10 ms", \
     run("0.2") using (deep(column("t"), 0.2)):(1e3 * column("edge")) title "200 ms", \
     run("10.0") using (deep(column("t"), 10.0)):(1e3 * column("edge")) title "10 s"
