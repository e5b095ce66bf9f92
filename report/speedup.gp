# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Speedup over one CPU thread, step by step, beside the original journal's; or, where there are predicted steps,
# these beside the recorded ones (speedup_predicted.gp). Reads main.tsv, main.gp.
load style
load data."main.gp"
main = data."main.tsv"
set label 1 heading."\n".title
set ylabel "speedup over one CPU thread (1 = as fast)"
set logscale y
set lmargin at screen 0.085 # room for the first name
set xrange [0.3:columns + 0.7]
set yrange [lowest / 4 : (best > spec_speedup ? best : spec_speedup) * 4]
if (columns > steps) {
    set arrow from steps + 0.5, graph 0 to steps + 0.5, graph 1 nohead lc rgb "#b0b0b0" lw 0.8 back
    set label "not steps" at steps + 0.6, graph 0.03 font ",9"
}

# The label of a point stands above it, but near the roofs' lines below.
beside(y) = roof_speedup > 0 && y > roof_speedup / 10 ? y / 2.2 : y * 2.2

if (predicted > 0) {
    load 'report/speedup_predicted.gp'
} else {
    # A loop of no turns leaves out what the records do not have. The roofs come first: below the points.
    plot for [i = 1:(spec_speedup > 0)] spec_speedup with lines lc rgb "#000000" lw 1 dt (9,5) \
             title sprintf("roof at the specified %.0f GB/s: %sx", spec_gbps, short(spec_speedup)), \
         for [i = 1:(roof_speedup > 0)] roof_speedup with lines lc rgb "#000000" lw 1.2 dt 1 \
             title sprintf("roof by the fastest read measured, %.0f GB/s: %sx", roof_gbps, short(roof_speedup)), \
         for [i = 1:(gtx680_steps > 0)] gtx680_roof with lines lc rgb "#777777" lw 1.2 dt (2,4) \
             title sprintf("the journal's roof, %.1f GB/s: %sx", gtx680_gbps, short(gtx680_roof)), \
         main index 0 using "x":"speedup":"speedup_low":"speedup_high":xticlabels(strcol("step")) \
             with yerrorlines lt 1 title device, \
         for [i = 1:(gtx680_steps > 0)] main index 0 using "x":"gtx680_speedup" with linespoints lt 4 \
             title "the journal's ".gtx680_name, \
         for [i = 1:(columns > steps)] main index 1 using "x":"speedup":xticlabels(strcol("step")) with points lt 3 \
             title "baselines", \
         main index 0 using "x":(beside(column("speedup"))):(short(column("speedup"))) with labels boxed font ",9" notitle, \
         for [i = 1:(gtx680_steps > 0)] main index 0 using "x":"gtx680_speedup":(short(column("gtx680_speedup"))) \
             with labels boxed offset 0,-1.0 font ",9" textcolor rgb "#555555" notitle, \
         main index 0 using "x":(strcol("verdict") eq "pass" ? NaN : lowest / 3):(strcol("verdict")) \
             with labels left rotate by 90 font ",9" notitle, \
         for [i = 1:(columns > steps)] main index 1 using "x":"speedup":(short(column("speedup"))) \
             with labels boxed offset 0,1.0 font ",9" notitle
}
