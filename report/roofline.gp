# Which roof each step is under, and how far: for each step one line of marks, each mark the time that one unit alone
# would need, as a share of the step's time. A unit at 100 % is busy all the time: no change but less work for that unit
# makes the step faster. Where all are far below, the step waits. Reads roofline.tsv, roofline.gp.
load style
load data."roofline.gp"
roofs_data = data."roofline.tsv"
set label 1 heading."\n".title
set xlabel "share of the predicted time (%), log scale" noenhanced offset 0,0.3
set ylabel ""
set logscale x
set xrange [least / 2.5 : 250]
set yrange [(steps < 8 ? 8 : steps) + 0.7 : 0.3] # few steps: no bars as thick as a wall
set xtics norotate center
set format x "%g"
set ytics noenhanced font ",10"
unset grid
set grid xtics lc rgb "#e4e4e4" lw 0.6
set key font ",9.5" samplen 1 width 0
set bmargin at screen 0.11
set lmargin at screen 0.215
set rmargin at screen 0.72
set arrow 1 from 100, graph 0 to 100, graph 1 nohead lc rgb "#000000" lw 2 front
set label 2 "100 %: the roof" at 100, graph 1.02 center font ",9"
set label 3 "the roof that it is nearest to" at graph 1.02, graph 1.02 left font ",9"
# Filled and hollow marks of one form: two units of one kind.
array form[9] = [7, 6, 9, 8, 13, 12, 2, 1, 3]
last = roofs
plot for [i = last:last] roofs_data index i using (least / 2.5):"y":(least / 2.5):"share":(column("y") - 0.28):(column("y") + 0.28):yticlabels(strcol("name")) \
         with boxxyerror fs solid 1 noborder lc rgb "#dddddd" notitle, \
     for [i = 0:roofs - 1] roofs_data index i using "share":"y" with points pt form[i + 1] ps 1.1 lw 1.2 lc rgb "#000000" \
         title roof_names[i + 1], \
     for [i = last:last] roofs_data index i using (250):"y":"limit" with labels left offset 0.8,0 noenhanced font ",9" notitle
