# SPDX-License-Identifier: MIT
load "style.gp"
# A plate of 10 cm^2, 30 mm deep, that goes in every direction; its tilt in degrees.
go(tilt) = "< awk 'BEGIN { print \"t,dt,depth,depth_rate,slip_x,slip_y,area,base_axis_x,base_axis_y,base_axis_n,follower_axis_x,follower_axis_y,follower_axis_n,way_x,way_y,press\"; " . \
       "b = " . tilt . " * 3.14159265359 / 180; for (i = -90; i <= 90; i++) { g = i * 3.14159265359 / 180; " . \
       "print i \",100,0.03,\" 0.01 * sin(g) \",\" 0.01 * cos(g) \",0,0.001,1,0,0,\" (-sin(b)) \",0,\" cos(b) \",0,0,0\" } }' " . \
       "| pcm rig laws.pcm Grains --motion - --trial"
set title "Lift on 10 cm^2, 30 mm deep"
set xlabel "way, degrees into the ground"
set ylabel "force, N"
set xrange [-90:90]
set xtics 45
plot go("-30") using "t":"force_n" title "tilted down by 30 degrees", \
     go("0") using "t":"force_n" title "flat", \
     go("30") using "t":"force_n" title "tilted up"

set title "Drag"
set yrange [-10:10]
plot go("-30") using "t":"force_x" title "tilted down by 30 degrees", \
     go("0") using "t":"force_x" title "flat", \
     go("30") using "t":"force_x" title "tilted up"
