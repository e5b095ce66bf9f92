# Share of the measured bandwidth that each step reaches. Reads main.tsv, main.gp.
load style
load data."main.gp"
main = data."main.tsv"
set label 1 "Share of the measured bandwidth\n".title
set ylabel "share of the streaming read's bandwidth (%)"
set key off
set tmargin at screen 0.86
set xrange [0.3:columns + 0.7]
spec_share = roof_gbps > 0 ? 100 * spec_gbps / roof_gbps : 0
set yrange [0:(spec_share > 100 ? spec_share : 100) * 1.15]
set arrow from graph 0, first 100 to graph 1, first 100 nohead lc rgb "#000000" lw 1.4 front
set label sprintf("100 %% = streaming read, measured %.0f GB/s", roof_gbps) at graph 0.01, first 100 offset 0,0.6 font ",9"
if (spec_share > 0) {
    set arrow from graph 0, first spec_share to graph 1, first spec_share nohead lc rgb "#000000" lw 1 dt (9,5) front
    set label sprintf("specified %.0f GB/s", spec_gbps) at graph 0.01, first spec_share offset 0,0.6 font ",9"
}
percent(share) = share < 0.1 ? sprintf("%.2g", 100 * share) : sprintf("%.1f", 100 * share)
plot main index 0 using "x":(100 * column("roof_fraction")):xticlabels(strcol("step")) with boxes lc rgb "#505050" notitle, \
     main index 0 using "x":(100 * column("roof_fraction")):(percent(column("roof_fraction"))) \
         with labels offset 0,0.6 font ",9" notitle, \
     main index 0 using "x":(strcol("verdict") eq "pass" ? NaN : 2):(strcol("verdict")) \
         with labels left rotate by 90 font ",9" notitle, \
     for [i = 1:(columns > steps)] main index 1 using "x":(100 * column("roof_fraction")):xticlabels(strcol("step")) \
         with boxes lc rgb "#c8c8c8" notitle, \
     for [i = 1:(columns > steps)] main index 1 using "x":(100 * column("roof_fraction")):(percent(column("roof_fraction"))) \
         with labels offset 0,0.6 font ",9" notitle
