# SPDX-License-Identifier: MIT
load "style.gp"
# Dragged forth and back by 1 mm under 100 N, in ever shorter strokes.
drag = "< awk 'BEGIN { print \"t,slip_x,slip_y,load_n,load_elastic,load_adhesive,load_pull_off\"; " . \
       "for (i = 0; i <= 800; i++) { t = i * 1e-3; s = t < 0.2 ? 1 : t < 0.35 ? -1 : t < 0.45 ? 1 : t < 0.5 ? -1 : 1; print t \",\" 0.01 * s \",0,100,100,0,0\" } }' " . \
       "| pcm rig laws.pcm Yields --motion -"
way(t) = 10 * (t < 0.2 ? t : t < 0.35 ? 0.4 - t : t < 0.45 ? t - 0.3 : t < 0.5 ? 0.6 - t : t - 0.4)
set title "Friction under 100 N, dragged forth and back"
set xlabel "way, mm"
set ylabel "force, N"
set yrange [-60:60]
plot drag using (way(column("t"))):"force_x" notitle

set title "Stretch of the bristle"
set xlabel "time, s"
set ylabel "stretch, mm"
set yrange [-0.6:0.6]
plot drag using "t":(1e3 * column("stretch_x")) notitle
