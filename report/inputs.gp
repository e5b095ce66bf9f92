# Time of one call by input: above the times, below each time over that on the first input (which shows
# what five decades of times hide). Reads inputs.tsv and inputs.gp.
load style
load data."inputs.gp"
times = data."inputs.tsv"
set label 1 "Time by input\n".title
set logscale y
set format y "10^{%L}"
set xrange [0.3:columns + 0.7]
set lmargin at screen 0.11
set rmargin at screen 0.97
set multiplot
set tmargin at screen 0.85
set bmargin at screen 0.57
set xtics 1 format ""
set ytics 100
set ylabel "us a call" offset 0,0
plot for [i = 0:series - 1] times index i using 1:3 with linespoints lt i + 1 title columnheader(3)
unset label 1
set key off
unset logscale y
set format y "%g"
set ytics autofreq
set tmargin at screen 0.53
set bmargin at screen 0.24
set xtics format "%g"
set offsets 0, 0, graph 0.1, graph 0.1
set ylabel "time / time on ".main_input offset 0,0
plot for [i = 0:series - 1] times index i using 1:4:xticlabels(2) with linespoints lt i + 1
unset multiplot
