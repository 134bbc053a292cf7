# SPDX-License-Identifier: MIT
# What all pictures share: two panels side by side, tables from the rig.
set terminal svg noenhanced size 900,330 font "sans-serif,13" background "white"
set datafile separator comma
set multiplot layout 1,2 margins 0.105,0.985,0.16,0.90 spacing 0.125
set grid linecolor "#dddddd" linewidth 1
set border 3 linecolor "#555555"
set tics nomirror scale 0.5
set key left top Left reverse samplen 2
set style data lines
set linetype 1 linecolor "#1b6ca8" linewidth 2
set linetype 2 linecolor "#d1495b" linewidth 2
set linetype 3 linecolor "#3a7d44" linewidth 2
rig(motion, type) = "< " . motion . " | pcm rig laws.pcm " . type . " --motion - --trial"
