# What the charts share that have a line for each step and, below a rule, for each baseline. Marks stand in panels, and
# numbers in columns beside them, where they meet no mark.
px(pixels) = pixels / (1.0 * high)
set label 1 heading."\n".title at screen 0.5, 1 - px(16)
set tmargin at screen 1 - px(136)
set bmargin at screen px(48)
set border 2 lw 0.8
set yrange [columns + 0.7:0.3]
set ylabel ""
set ytics scale 0 noenhanced font ",10"
set xtics nomirror norotate center
set format x "%g"
set grid ytics lc rgb "#e0e0e0" lw 0.6
set linetype 1 lc rgb "#0072b2" pt 7 ps 0.8  # throughput
set linetype 2 lc rgb "#d55e00" pt 4 ps 0.9  # latency
set linetype 3 lc rgb "#000000" pt 12 ps 1.0 # predicted
set linetype 4 lc rgb "#777777" pt 6 ps 0.8  # the journal
number(value) = value == value ? short(value) : ""
if (columns > steps) { set arrow 9 from screen 0.01, first steps + 0.5 to screen 0.985, first steps + 0.5 nohead lc rgb "#777777" lw 0.8 }
