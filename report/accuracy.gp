# A point for each predicted time, with its 90 % interval, over the measured one, both in us. On the thick line they are
# the same, on the thin ones half and twice as long. Reads $points.
load 'report/style.gp'
set label 1 title
set key off
set tmargin at screen 0.9
set bmargin at screen 0.12
set logscale xy
set xtics norotate center
set format '%.0f'
set grid xtics ytics
set xlabel 'measured (us a call, log scale)'
set ylabel 'predicted, and its 90 % interval (us a call, log scale)'
stats $points using 'measured' nooutput
set xrange [STATS_min / 2 : STATS_max * 2]
plot x with lines lc rgb '#000000' lw 2 dt 1, 2 * x with lines lc rgb '#777777' lw 1 dt (4,3), x / 2 with lines lc rgb '#777777' lw 1 dt (4,3), \
     $points using 'measured':'predicted':'low':'high' with yerrorbars lt 3 dt 1 pt 7 ps 0.6
