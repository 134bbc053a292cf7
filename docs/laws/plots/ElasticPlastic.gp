# SPDX-License-Identifier: MIT
load "style.gp"
# Pressed 0.02 mm deep, twice, and pulled off.
run(type) = "< awk 'BEGIN { print \"t,depth,depth_rate,radius\"; for (i = 0; i <= 800; i++) { s = i / 200; " . \
            "d = 2e-5 * (s < 1 ? s : s < 1.5 ? 1 - (s - 1) : s < 2.5 ? 0.5 + (s - 1.5) : 1.5 - (s - 2.5) * 1.2); " . \
            "print i * 1e-5 \",\" d \",0,0.005\" } }' | pcm rig granular.pcm " . type . " --motion -"
deep(t) = 20 * (t < 0.002 ? 500 * t : t < 0.003 ? 2 - 500 * t : t < 0.005 ? 500 * t - 1 : 4.5 - 600 * t)
set title "Steel, R = 5 mm: pressed, let off, pressed deeper, let go"
set xlabel "depth, um"
set ylabel "force, N"
set xrange [0:30]
plot run("Metal") using (deep(column("t"))):"force_n" title "YieldStrength = 400 MPa", \
     run("MetalByPressure") using (deep(column("t"))):"force_n" title "Thornton, YieldPressure = 1.1 GPa"
# Over the critical depth.
press(type) = "< ./sweep depth 0 0.00003 301 depth_rate=0 radius=0.005 deepest=0 | pcm rig granular.pcm " . type . " --motion - --trial"
set title "Mean pressure as it is pressed in"
set ylabel "force/(pi R depth), GPa"
plot press("Metal") using (1e6 * column("t")):(1e-9 * column("force_n") / (pi * 0.005 * column("t"))) title "YieldStrength = 400 MPa", \
     press("MetalByPressure") using (1e6 * column("t")):(1e-9 * column("force_n") / (pi * 0.005 * column("t"))) title "Thornton"
