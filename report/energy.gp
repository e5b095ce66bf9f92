# A line for each step and baseline: on the left the energy of a call, on a log scale, on the right the power that the GPU
# draws meanwhile. Reads energy.tsv, energy.gp.
load style
load data."energy.gp"
load "report/rows.gp"
points = data."energy.tsv"
set key off
set tmargin at screen 1 - px(84)
set multiplot
set lmargin at screen 0.195
set rmargin at screen 0.66
x_low = lowest / 1.5
x_high = highest * 1.5
at(place) = x_low * (x_high / x_low) ** place
set logscale x
set xrange [x_low:at(1.38)]
set xtics nomirror 10 ** ceil(log10(x_low)), 10, x_high
set label 6 "energy of a call (mJ, log scale)" at graph 0.36, screen px(12) center
set label 4 "mJ" at first at(1.19), graph 1 right offset 0,0.6 font ",9"
set label 5 "us" at first at(1.38), graph 1 right offset 0,0.6 font ",9"
plot points using "millijoules":"x":yticlabels(strcol("step")) with points lt 1, \
     points using (at(1.19)):"x":(number(column("millijoules"))) with labels right noenhanced font ",9", \
     points using (at(1.38)):"x":(number(column("us"))) with labels right noenhanced font ",9"
unset label
unset logscale x
set lmargin at screen 0.685
set rmargin at screen 0.985
set format y ""
set xrange [0:1.25 * watts]
set xtics nomirror autofreq 0, 200, watts
set label 6 "power of the whole GPU (W)" at graph 0.4, screen px(12) center
set label 4 "W" at first 1.25 * watts, graph 1 right offset 0,0.6 font ",9"
if (idle > 0) {
    set arrow 1 from first idle, graph 0 to first idle, graph 1 nohead lc rgb "#000000" lw 1.2 dt (4,3) back
    set label 3 sprintf("%.0f W where nothing runs", idle) at first idle, graph 1 left offset -1,0.6 font ",9"
}
plot points using (0):"x":(0):"watts":(column("x") - 0.25):(column("x") + 0.25):yticlabels("") with boxxyerror fs solid 1 noborder lc rgb "#bcd9ee", \
     points using "watts":"x" with points lt 1, \
     points using (1.25 * watts):"x":(sprintf("%.0f", column("watts"))) with labels right noenhanced font ",9"
unset multiplot
