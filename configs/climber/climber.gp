# SPDX-License-Identifier: MIT
# Draws what each foot of the climber feels, from the logs of a run:
#   pcm run climber.xml climber.pcm --ctrl climber.csv --time 5 --log LOGS
#   gnuplot -e "logs='LOGS'; picture='climber.png'" climber.gp
if (!exists("logs")) logs = "."
if (!exists("picture")) picture = "climber.png"

set terminal pngcairo size 1500,1000 font "Sans,11"
set output picture
set datafile separator comma

sticking = "#1f77b4"; slipping = "#d62728"; sideways = "#999999"
feet   = "FrontLeft FrontRight MiddleLeft MiddleRight HindLeft HindRight"
titles = "'front left' 'front right' 'middle left' 'middle right' 'hind left' 'hind right'"
files  = logs."/tread.csv ".logs."/slip.csv ".logs."/mylog"

# The value where the row is of this foot (and mode), else a gap.
of(foot)          = strcol("A") eq foot."Foot" || strcol("B") eq foot."Foot"
normal(foot, how) = of(foot) && strcol("mode") eq how ? column("force_n [N]") : NaN
tangent(foot)     = of(foot) ? sqrt(column("force_x [N]")**2 + column("force_y [N]")**2) : NaN

set multiplot layout 3,2 title "The climber's feet: force between foot and ground or wall" font "Sans,15" \
    margins 0.055,0.985,0.075,0.90 spacing 0.05,0.065
set xrange [0:5]
set yrange [-6.5:6.5]
set ytics 2
set grid back lt 1 lc "#dddddd"
set tics nomirror
set border 3

do for [i = 1:6] {
    foot = word(feet, i)
    set title word(titles, i) offset 0,-0.6 font "Sans-Bold,12"
    set xlabel i > 4 ? "time [s]" : ""
    set ylabel i % 2 ? "force [N]" : ""
    unset label
    unset key
    if (i == 1) {
        set key at screen 0.985,0.965 right horizontal maxrows 1 samplen 2
    }
    if (foot[1:5] eq "Front") {
        set arrow 1 from 0,-5 to 5,-5 nohead dt 2 lc "#555555"
        set label 1 "lets go at Z\\_Limit = 5 N of pull" at 0.05,-5.6 tc "#555555"
    } else {
        unset arrow 1
    }
    if (foot eq "FrontRight") {
        set label 2 "on the ground with\nMuJoCo's own contact" at 0.05,4.2 tc "#555555"
        set label 3 "and again" at 4.3,4.2 tc "#555555"
    }
    plot for [n = 1:3] word(files, n) using "time [s]":(tangent(foot)) with points pt 7 ps 0.25 lc rgb sideways notitle, \
         for [n = 1:3] word(files, n) using "time [s]":(normal(foot, "sticking")) with points pt 7 ps 0.35 \
             lc rgb sticking notitle, \
         for [n = 1:3] word(files, n) using "time [s]":(normal(foot, "slipping")) with points pt 7 ps 0.35 \
             lc rgb slipping notitle, \
         keyentry with lines lw 4 lc rgb sticking title "normal force, sticking", \
         keyentry with lines lw 4 lc rgb slipping title "normal force, slipping", \
         keyentry with lines lw 4 lc rgb sideways title "sideways force"
}
unset multiplot
