# A line for each step and baseline. On the left its speedup over one CPU thread, on a log scale; on the right the share
# of the roof that it reaches, where the fast steps can be told apart. Throughput and latency have a mark each, with its
# own roof. Predicted times are hollow, with their 90 % interval. Reads main.tsv, main.gp.
load 'report/style.gp'
load data."main.gp"
main = data."main.tsv"
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
number(value) = value == value ? short(value) : ""
text(before, number) = number eq "" ? "" : before.number
if (columns > steps) { set arrow 9 from screen 0.01, first steps + 0.5 to screen 0.985, first steps + 0.5 nohead lc rgb "#777777" lw 0.8 }
set key at screen 0.5, 1 - px(50) maxrows 3 maxcols 2 samplen 2 font ",10"
percent(share) = share != share ? "" : share < 0.0995 ? sprintf("%.2g", 100 * share) : sprintf("%.1f", 100 * share)
first = predicted ? "predicted" : "throughput"
second = timed_latency ? "latency" : ""
mark = predicted ? 3 : 1
tilde = predicted ? "~" : ""

# The key has all of the width.
set multiplot
set lmargin at screen 0.02
set rmargin at screen 0.98
set border 0
unset xtics
unset ytics
plot NaN with points lt mark title predicted ? "predicted for ".predicted_name.", not measured, and its 90 % interval" : "throughput: calls are queued", \
     for [i = 1:timed_latency] NaN with points lt 2 title "latency: a call that is waited for", \
     for [i = 1:(roof_gbps > 0)] NaN with lines lc rgb "#000000" lw 3 dt 1 \
         title sprintf(predicted ? "the roof: %.0f GB/s" : "the roof: the fastest read measured, %.0f GB/s", roof_gbps), \
     for [i = 1:(roof_latency > 0)] NaN with lines lc rgb "#d55e00" lw 1.5 dt (4,3) title "the roof of latency: that read, waited for"
set key off
unset label
set border 2 lw 0.8
set ytics scale 0 noenhanced font ",10"
set lmargin at screen 0.195
set rmargin at screen 0.595
x_low = lowest / 1.5
x_high = (best > spec_speedup ? best : spec_speedup) * 2
at(place) = x_low * (x_high / x_low) ** place # 0: where the panel begins, 1: where its columns of numbers do
set logscale x
set xrange [x_low:at(1.38)]
set xtics nomirror 10 ** ceil(log10(x_low)), x_high > 50000 ? 100 : 10, x_high
set label 6 predicted ? "speedup over the slowest step (log scale)" : "speedup over one CPU thread (log scale)" at graph 0.36, screen px(12) center
if (roof_speedup > 0) {
    set object 1 rectangle from first roof_speedup, graph 0 to first x_high, graph 1 behind fc rgb "#dddddd" fs solid noborder
    set arrow 1 from first roof_speedup, graph 0 to first roof_speedup, graph 1.01 nohead lc rgb "#000000" lw 3 back
    set label 3 "the roof" at first roof_speedup, graph 1 right offset 0.5,0.9 font ",11"
}
if (roof_latency > 0) { set arrow 2 from first roof_latency, graph 0 to first roof_latency, graph 1 nohead lc rgb "#d55e00" lw 1.5 dt (4,3) back }
set label 4 first at first at(1.20), graph 1 right offset 0,0.6 font ",9"
set label 5 second at first at(1.38), graph 1 right offset 0,0.6 font ",9"
plot for [i = 1:timed_latency] main using "synced_speedup":"x" with points lt 2, \
     for [i = 1:predicted] main using "speedup":"x":"speedup_low":"speedup_high" with xerrorbars lt 3 dt (2,2), \
     main using "speedup":"x":yticlabels(strcol("step")) with points lt mark, \
     main using (at(1.20)):"x":(text(tilde, number(column("speedup")))) with labels right noenhanced font ",9", \
     main using (at(1.38)):"x":(number(column("synced_speedup"))) with labels right noenhanced font ",9", \
     main using (x_low):"x":(strcol("verdict") eq "pass" ? "" : strcol("verdict")) with labels left offset 1,0 font ",9"

unset label
unset arrow 1
unset arrow 2
unset object 1
set lmargin at screen 0.615
set rmargin at screen 0.985
unset logscale x
set format y ""
x_high = spec_gbps > roof_gbps && roof_gbps > 0 ? 102 * spec_gbps / roof_gbps : 104
set xrange [0:1.38 * x_high]
set xtics nomirror 0, 20, 100
set label 6 "share of the roof that it reaches (%)" noenhanced at graph 0.36, screen px(12) center
set object 1 rectangle from first 100, graph 0 to first x_high, graph 1 behind fc rgb "#dddddd" fs solid noborder
set arrow 1 from first 100, graph 0 to first 100, graph 1.01 nohead lc rgb "#000000" lw 3 back
set label 3 "the roof" at first 100, graph 1 right offset 0.5,0.9 font ",11"
set label 4 first at first 1.20 * x_high, graph 1 right offset 0,0.6 font ",9"
set label 5 second at first 1.38 * x_high, graph 1 right offset 0,0.6 font ",9"
plot main using (0):"x":(0):(100 * column("roof_fraction")):(column("x") - 0.25):(column("x") + 0.25):yticlabels("") \
         with boxxyerror fs solid 1 noborder lc rgb "#bcd9ee", \
     for [i = 1:timed_latency] main using (100 * column("synced_fraction")):"x" with points lt 2, \
     for [i = 1:predicted] main using (100 * column("roof_fraction")):"x":(100 * column("speedup_low") / roof_speedup):(100 * column("speedup_high") / roof_speedup) \
         with xerrorbars lt 3 dt (2,2), \
     main using (100 * column("roof_fraction")):"x" with points lt mark, \
     main using (1.20 * x_high):"x":(text(tilde, percent(column("roof_fraction")))) with labels right noenhanced font ",9", \
     main using (1.38 * x_high):"x":(percent(column("synced_fraction"))) with labels right noenhanced font ",9"
unset multiplot
