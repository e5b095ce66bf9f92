# One panel: the share of a step's points for speed by the time over ours, and the class's times on that curve, those of
# within 5 % as one circle, the larger the more there are. Reads `name`, `full`, `none` and $times.
set border 3 lw 0.8
set tics nomirror out scale 0.6 font ",9"
set grid ytics lc rgb "#d8d8d8" lw 0.6
unset key
set lmargin 7
set rmargin 2
set tmargin 2
set bmargin 3.2
set title name noenhanced font ",10" offset 0,-0.4
set xlabel "time over ours (log scale)" font ",9" offset 0,0.6
set ylabel "points for speed (%)" font ",9" offset 1.2,0
set yrange [-12:112]
set ytics 0, 50, 100
set logscale x
set xrange [full / 2:none * 2]
set format x "%g"
set xtics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
if (none < 4 * full) { set xtics add (1.5, 3) }
set samples 200
share(ratio) = ratio <= full ? 100 : ratio < none ? 100 * log(none / ratio) / log(none / full) : 0
inside(ratio) = ratio < full / 2 ? full / 2 : ratio > none * 2 ? none * 2 : ratio
near(ratio) = 1.05 ** floor(log(ratio) / log(1.05) + 0.5)
set table $circles
plot $times using (near(inside($1))):(1) smooth frequency
unset table
plot share(x) with lines lw 1.6 lc rgb "#d55e00", \
     $circles using (inside($1)):(share($1)):(0.7 * $2 ** 0.35) with points pt 7 ps variable lc rgb "#900072b2"
