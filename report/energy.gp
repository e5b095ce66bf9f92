# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Energy of a call against its time, a point for each step and baseline: all of them on the left, on the right the fast ones, with
# names. Where power is the same, points lie on one diagonal. Reads energy.tsv and energy.gp.
load style
load data."energy.gp"
points = data."energy.tsv"
set label 1 heading."\n".title
set logscale xy
set key font ",10" maxrows 2
set bmargin at screen 0.12
unset xtics
set xtics nomirror rotate by 0 center
set grid xtics ytics lc rgb "#d8d8d8" lw 0.6
set format "%g"
millijoules(us, w) = us * w / 1000
set clip two # a line whose ends lie outside
set multiplot
set lmargin at screen any_far ? 0.40 : 0.09
set rmargin at screen 0.97
set xlabel "time of a call (us, log scale)" noenhanced
set ylabel any_far ? "" : "energy of a call (mJ, log scale)" offset -1,0
set xrange [near_fastest / 1.7 : near_slowest * 1.45]
set yrange [near_least / 1.4 : near_most * 1.4]
# More tics than powers of ten: the range may hold none.
set xtics (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 25, 30, 40, 50, 60, 80, 100, 120, 140, 160, 200, 250, 300, 400, 500, 600, 800, 1000)
set ytics (0.1, 0.2, 0.3, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 300, 500, 1000)
plot for [i = 1:(idle > 0)] millijoules(x, idle) with lines lc rgb "#777777" lw 1.2 dt (9,5) title sprintf("%.0f W, where nothing runs", idle), \
     millijoules(x, watts) with lines lc rgb "#000000" lw 1.2 dt 1 title sprintf("%.0f W, the most measured", watts), \
     points index 0 using "us":"millijoules" with points lt 1 title "steps, by their numbers", \
     points index 1 using "us":"millijoules" with points lt 3 title "baselines", \
     points index 0 using "us":"millijoules":"near" with labels left offset 0.6,-0.8 noenhanced font ",10" notitle, \
     points index 1 using "us":"millijoules":"near" with labels right offset -0.8,0.5 noenhanced font ",9" notitle
if (any_far) {
    unset label 1
    unset key
    set lmargin at screen 0.075
    set rmargin at screen 0.345
    set ylabel "energy of a call (mJ, log scale)"
    set autoscale
    set xtics auto
    set ytics auto
    set xtics 100
    set format "10^{%L}"
    plot for [i = 1:(idle > 0)] millijoules(x, idle) with lines lc rgb "#777777" lw 1.2 dt (9,5), \
         millijoules(x, watts) with lines lc rgb "#000000" lw 1.2 dt 1, \
         points index 0 using "us":"millijoules" with points lt 1, \
         points index 1 using "us":"millijoules" with points lt 3, \
         points index 0 using "us":"millijoules":"far" with labels left offset 0.6,-0.7 noenhanced font ",10", \
         points index 1 using "us":"millijoules":"far" with labels left offset 0.8,-0.4 noenhanced font ",9"
}
unset multiplot
