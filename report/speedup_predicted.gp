# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The part of the speedup chart that differs where the results' own steps are predicted: they stand beside what a GPU
# recorded (filled, joined by a line), hollow, with no line between them, dashed intervals and a tilde: not a measurement.
# Below, they stand over the recorded speedup of the same step, since decades of speedups hide an interval. Loaded by
# speedup.gp. Reads predicted.tsv, too.
foretold = data."predicted.tsv"
aside = 0.28 # of the recorded mark
set key font ",9.5"
set bmargin at screen 0.43
set lmargin at screen 0.10
set rmargin at screen 0.97
set format y "%g"
set ylabel "speedup" offset 0,0
set yrange [lowest / 50 : (best > spec_speedup ? best : spec_speedup) * 4]
set multiplot
plot for [i = 1:(spec_speedup > 0)] spec_speedup with lines lc rgb "#000000" lw 1 dt (9,5) \
         title sprintf("roof at the specified %.0f GB/s: %sx", spec_gbps, short(spec_speedup)), \
     for [i = 1:(roof_speedup > 0)] roof_speedup with lines lc rgb "#000000" lw 1.2 dt 1 \
         title sprintf("roof by a streaming read, %.0f GB/s: %sx", roof_gbps, short(roof_speedup)), \
     main index 0 using "x":"speedup":"speedup_low":"speedup_high":xticlabels("") with yerrorlines lt 1 \
         title device.", measured", \
     NaN with points pt 12 ps 1.1 lw 1.2 lc rgb "#000000" title "predicted for ".predicted_name.", not measured", \
     foretold using (column("x") + aside):"speedup":"speedup_low":"speedup_high" with yerrorbars pt 0 lc rgb "#000000" lw 1 dt (2,2) \
         title "its 90 % interval", \
     foretold using (column("x") + aside):"speedup" with points pt 12 ps 1.1 lw 1.2 lc rgb "#000000" notitle, \
     foretold using (column("x") + aside):"speedup_low":("~".short(column("speedup"))) \
         with labels boxed right rotate by 90 offset 0.2,-0.4 noenhanced font ",8" notitle, \
     main index 0 using (column("x") + 0.03):"speedup_low":(short(column("speedup"))) \
         with labels boxed right rotate by 90 offset 0,-0.6 font ",8" notitle, \
     main index 0 using "x":(strcol("verdict") eq "pass" ? NaN : lowest / 3):(strcol("verdict")) \
         with labels left rotate by 90 font ",9" notitle, \
     for [i = 1:(columns > steps)] main index 1 using "x":"speedup":xticlabels("") with points lt 3 title "baselines", \
     for [i = 1:(columns > steps)] main index 1 using "x":"speedup":(short(column("speedup"))) \
         with labels boxed offset 0,1.0 font ",9" notitle

unset label
unset arrow
unset logscale
set key off
set tmargin at screen 0.40
set bmargin at screen 0.24
set ylabel "predicted /\nmeasured" offset 0,0
set yrange [*:*]
set ytics gain_range < 0.6 ? 0.1 : gain_range < 1.5 ? 0.5 : gain_range < 6 ? 1 : 10
set offsets 0, 0, graph 0.1, graph 0.1
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#000000" lw 0.8 back
plot main index 0 using "x":(1):xticlabels(strcol("step")) with points lt 1 notitle, \
     for [i = 1:(columns > steps)] main index 1 using "x":(NaN):xticlabels(strcol("step")) with points notitle, \
     foretold using (column("x") + aside):"gain":"gain_low":"gain_high" with yerrorbars pt 0 lc rgb "#000000" lw 1 dt (2,2) notitle, \
     foretold using (column("x") + aside):"gain" with points pt 12 ps 1.1 lw 1.2 lc rgb "#000000" notitle
unset multiplot
