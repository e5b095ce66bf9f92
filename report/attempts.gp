# One's own attempts, one after the other: the time of a call where the answer was right, else the verdict. A line joins
# the attempts at one step. Filled points are measured, hollow ones predicted. Reads attempts.tsv, attempts.gp.
load style
load data."attempts.gp"
tries = data."attempts.tsv"
set label 1 heading.": ".title at screen 0.5, 0.955
set key off
set tmargin at screen 0.90
set bmargin at screen 0.15
set lmargin at screen 0.085
set rmargin at screen 0.985
set xrange [0.4:(attempts < 12 ? 12 : attempts) + 0.6]
set xtics scale 0 nomirror font ",10"
set ylabel "time of a call (log scale)"
set logscale y
# Verdicts stand below the lowest time, the times themselves above their points.
low = lowest > 0 ? lowest : 1
high_time = highest > 0 ? highest : 10
decades = log10(high_time / low) + 0.3
floor_of = low / 10 ** (0.5 * decades + 0.3)
set yrange [floor_of : high_time * 10 ** (0.35 * decades + 0.2)]
set ytics ("" floor_of) # none below the lowest time
times = "1us 10us 100us 1ms 10ms 100ms 1s 10s"
do for [k = 1:8] { if (10 ** (k - 1) >= low) { set ytics add (word(times, k) 10 ** (k - 1)) } }
unset grid
set grid ytics lc rgb "#e0e0e0" lw 0.6
if (lowest > 0) { set arrow 1 from graph 0, first low / 10 ** (0.05 * decades + 0.1) to graph 1, first low / 10 ** (0.05 * decades + 0.1) nohead lc rgb "#777777" lw 0.8 } else { unset ytics; set ylabel "" }
in_us(us) = us >= 1e6 ? sprintf("%.2f s", us / 1e6) : us >= 1000 ? sprintf("%.3g ms", us / 1000) : short(us)." us"
time_if(us, verdict) = verdict eq "pass" && lowest > 0 ? us : NaN
measured(us, verdict, predicted) = predicted == 1 ? NaN : time_if(us, verdict)
plot for [i = 0:steps - 1] tries index i using (strcol("label") eq "-" ? NaN : column("x") - 0.5):(floor_of):(0):(1e12) with vectors nohead lc rgb "#d8d8d8" lw 0.8, \
     for [i = 0:steps - 1] tries index i using "x":(time_if(column("us"), strcol("verdict"))) with lines lc rgb "#0072b2" lw 1.4 dt 1, \
     for [i = 0:steps - 1] tries index i using "x":(time_if(column("us"), strcol("verdict"))) with points pt 7 ps 1.1 lc rgb "#ffffff", \
     for [i = 0:steps - 1] tries index i using "x":(time_if(column("us"), strcol("verdict"))) with points pt 6 ps 1.1 lw 1.4 lc rgb "#0072b2", \
     for [i = 0:steps - 1] tries index i using "x":(measured(column("us"), strcol("verdict"), column("predicted"))) with points pt 7 ps 1.1 lc rgb "#0072b2", \
     for [i = 0:steps - 1] tries index i using "x":(time_if(column("us"), strcol("verdict"))):((column("predicted") == 1 ? "~" : "").in_us(column("us"))) \
         with labels boxed noenhanced left rotate by 90 offset 0,0.7 font ",9", \
     for [i = 0:steps - 1] tries index i using "x":(floor_of):(strcol("verdict") eq "pass" ? "" : strcol("verdict")) \
         with labels noenhanced left rotate by 90 offset 0,0.4 font ",9" textcolor rgb "#a03c00", \
     for [i = 0:steps - 1] tries index i using "x":(floor_of):xticlabels(strcol("label") eq "-" ? "" : strcol("label")) with dots lc rgb "#ffffff"
