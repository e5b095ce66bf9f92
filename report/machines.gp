# Time of one call, step by step, a line for each machine. Reads machines.tsv and machines.gp.
load style
load data."machines.gp"
times = data."machines.tsv"
set label 1 heading."\n".title
set ylabel "time of one call (us)"
set logscale y
set format y "10^{%L}"
set xrange [0.3:columns + 0.7]
# Line type 4 is the GTX 680's, here as in the speedup chart.
plot for [i = 0:series - 1] times index i using 1:3:xticlabels(2) with linespoints lt (i < 3 ? i + 1 : i + 2) \
         title columnheader(3), \
     for [i = series:series + gtx680 - 1] times index i using 1:3 with linespoints lt 4 title columnheader(3)
