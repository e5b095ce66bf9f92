# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Share of the measured bandwidth that each step reaches. Reads main.tsv, main.gp.
load style
load data."main.gp"
main = data."main.tsv"
set label 1 heading."\n".title
set ylabel "share of the streaming read's bandwidth (%)"
set key font ",10"
set lmargin at screen 0.085 # room for the first name
set xrange [0.3:columns + 0.7]
spec_share = roof_gbps > 0 ? 100 * spec_gbps / roof_gbps : 0
set yrange [0:(spec_share > 100 ? spec_share : 100) * 1.08]
percent(share) = share < 0.1 ? sprintf("%#.2g", 100 * share) : sprintf("%.1f", 100 * share)
# A bar's number stands above it; below its top where the lines of the roofs are near.
height(share) = 100 * share > 90 ? 100 * share - 5 : 100 * share + 2.5
plot for [i = 1:(spec_share > 0)] spec_share with lines lc rgb "#000000" lw 1 dt (9,5) title sprintf("specified: %.0f GB/s", spec_gbps), \
     100 with lines lc rgb "#000000" lw 1.4 dt 1 title sprintf("100 %%: the fastest read measured, %.0f GB/s", roof_gbps), \
     main index 0 using "x":(100 * column("roof_fraction")):xticlabels(strcol("step")) with boxes lc rgb "#505050" dt 1 notitle, \
     main index 0 using "x":(height(column("roof_fraction"))):(percent(column("roof_fraction"))) with labels font ",9" notitle, \
     main index 0 using "x":(strcol("verdict") eq "pass" ? NaN : 2):(strcol("verdict")) \
         with labels left rotate by 90 font ",9" notitle, \
     for [i = 1:(columns > steps)] main index 1 using "x":(100 * column("roof_fraction")):xticlabels(strcol("step")) \
         with boxes lc rgb "#c8c8c8" dt 1 title "baselines", \
     for [i = 1:(columns > steps)] main index 1 using "x":(height(column("roof_fraction"))):(percent(column("roof_fraction"))) \
         with labels font ",9" notitle
