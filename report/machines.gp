# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Time of one call, and its share of each machine's own roof, step by step, a line for each machine. Reads machines.tsv and
# machines.gp.
load style
load data."machines.gp"
times = data."machines.tsv"
set label 1 heading."\n".title
set xrange [0.3:columns + 0.7]
set multiplot
set lmargin at screen 0.085 # room for the first name
set rmargin at screen 0.97
set bmargin at screen 0.53
set ylabel "time of one call (us)" offset -0.5,0
set logscale y
set format y "10^{%L}"
set format x ""
set xtics 1
# Line type 4 is the GTX 680's, here as in the speedup chart.
plot for [i = 0:series - 1] times index i using 1:3 with linespoints lt (i < 3 ? i + 1 : i + 2) title columnheader(3), \
     for [i = series:series + gtx680 - 1] times index i using 1:3 with linespoints lt 4 title columnheader(3)
unset logscale y
unset label 1
unset key
set tmargin at screen 0.49
set bmargin at screen 0.24
set format y "%g"
set format x "%s"
set yrange [0:108]
set ytics 25
set ylabel "of its own roof (%)" offset 0,0
plot for [i = 0:series - 1] times index i using 1:4:xticlabels(2) with linespoints lt (i < 3 ? i + 1 : i + 2), \
     for [i = series:series + gtx680 - 1] times index i using 1:4 with linespoints lt 4
unset multiplot
