# The roofline: updates a second against updates for each byte read. A histogram makes one update for
# each element, so a problem has one intensity and its steps stand above one another, below the slope
# that the memory's bandwidth sets. Reads roofline.tsv, roofline.gp and main.gp.
load style
load data."main.gp"
load data."roofline.gp"
points = data."roofline.tsv"
set label 1 "Roofline\n".title
set xlabel "updates for each byte read" noenhanced
set ylabel "updates per second" offset 0,0
set logscale xy
set xtics norotate center
set format x "%g"
set format y "10^{%L}"
set grid xtics
set xrange [intensity / 16 : intensity * 16]
set yrange [lowest_rate / 4 : intensity * 16 * (spec_gbps > 0 ? spec_gbps : roof_gbps) * 1e9]
set bmargin at screen 0.12
# Labels to the right for steps, to the left for baselines; a thin line leads to each.
plot spec_gbps > 0 ? x * spec_gbps * 1e9 : NaN with lines lc rgb "#000000" lw 1 dt (9,5) \
         title sprintf("specified bandwidth, %.0f GB/s", spec_gbps), \
     roof_gbps > 0 ? x * roof_gbps * 1e9 : NaN with lines lc rgb "#000000" lw 1.6 dt 1 \
         title sprintf("bandwidth measured by streaming read, %.0f GB/s", roof_gbps), \
     points using "intensity":"rate":(column("label_x") * (column("side") > 0 ? 0.94 : 1.06) - column("intensity")):(column("label_rate") - column("rate")) \
         with vectors nohead lc rgb "#a0a0a0" lw 0.6 notitle, \
     points using "label_x":(column("side") > 0 ? column("label_rate") : NaN):"name" with labels left noenhanced font ",9" notitle, \
     points using "label_x":(column("side") < 0 ? column("label_rate") : NaN):"name" with labels right noenhanced font ",9" notitle, \
     points using "intensity":(column("side") > 0 ? column("rate") : NaN) with points lt 1 title "steps", \
     points using "intensity":(column("side") < 0 ? column("rate") : NaN) with points lt 3 title "baselines"
