# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Energy of a call against its time, a point for each step and baseline. Where power is the same, points lie on one diagonal. On the left
# are all of them, and on the right what lies about the fastest step; where there is nothing else, one panel shows it. Places of panels and
# labels were chosen by charts/energy.c. Reads energy.gp, energy.tsv, energy-near.tsv and energy-far.tsv.
load style
load data."energy.gp"
points = data."energy.tsv"
set label 1 heading."\n".title
set logscale xy
set key font ",10" maxrows 2 maxcols 2
set tmargin at screen 0.785
set bmargin at screen 0.12
set grid xtics ytics lc rgb "#d8d8d8" lw 0.6
set clip two # a line whose ends lie outside
set samples 2
millijoules(us, w) = us * w / 1000
of_time = "time of a call (us, log scale)"
of_these = "time of a call where calls follow each other without a pause (us, log scale)"
of_energy = "energy of a call (mJ, log scale)"
aligned(align) = strcol("align") eq align ? column("x") : NaN
set multiplot
do for [panel in panels] {
    labels = data."energy-".panel.".tsv"
    set lmargin at screen value(panel."_left")
    set rmargin at screen value(panel."_right")
    set xrange [value(panel."_x_low"):value(panel."_x_high")]
    set yrange [value(panel."_y_low"):value(panel."_y_high")]
    unset xtics
    unset ytics
    eval "set xtics nomirror rotate by 0 center enhanced ".value(panel."_x_tics")
    eval "set ytics nomirror enhanced ".value(panel."_y_tics")
    set xlabel (panel eq "far" ? of_time : of_these) noenhanced
    set ylabel (panel eq "far" || panels eq "near" ? of_energy : "") noenhanced offset -1,0
    if (words(panels) > 1) {
        set label 2 (panel eq "far" ? "all" : "the frame, enlarged") at graph 0.5, 1.03 center noenhanced font ",10"
    }
    if (panel eq "far") {
        unset label 1
        set key off
        set object 1 rectangle from near_x_low, near_y_low to near_x_high, near_y_high fillstyle empty border lc rgb "#999999" lw 0.8 behind
    }
    plot for [i = 1:(idle > 0)] millijoules(x, idle) with lines lc rgb "#777777" lw 1.2 dt (9,5) title sprintf("%.0f W, where nothing runs", idle), \
         millijoules(x, watts) with lines lc rgb "#000000" lw 1.2 dt 1 title sprintf("%.0f W, the most measured", watts), \
         labels using "us":"millijoules":"more_us":"more_millijoules" with vectors nohead lc rgb "#777777" lw 0.8 dt 1 notitle, \
         points index 0 using "us":"millijoules" with points lt 1 title "steps, by their numbers", \
         points index 1 using "us":"millijoules" with points lt 3 title "baselines", \
         labels using (aligned("left")):"y":"text":"colour" with labels left boxed noenhanced textcolor rgb variable font ",10" notitle, \
         labels using (aligned("right")):"y":"text":"colour" with labels right boxed noenhanced textcolor rgb variable font ",10" notitle, \
         labels using (aligned("centre")):"y":"text":"colour" with labels center boxed noenhanced textcolor rgb variable font ",10" notitle
}
unset multiplot
