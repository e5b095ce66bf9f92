# One small chart for each page of feedback: share of the measured roof by step, a bar for theirs and a
# mark for this project's own version. Reads `data`, a block of rows for each page,
# and data.pages: name, number of rows, and the decade under 1 that the smallest share is in.
set terminal svg size 760,360 font 'sans-serif,10' background 'white'
set encoding utf8
set datafile separator tab
set datafile missing "NaN"
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid ytics lc rgb "#d8d8d8" lw 0.6
set key top left reverse Left samplen 2 width 1 horizontal outside maxrows 1
set ylabel "% of the roof"
set logscale y
set format y "%g"
set xtics noenhanced rotate by 40 right
set boxwidth 0.6
set style fill solid 0.55 border rgb "#303030"
pages = system("cat '".data.".pages'")
do for [i = 1:words(pages) / 3] {
    set output word(pages, 3 * i - 2).".svg"
    set xrange [-0.6 : word(pages, 3 * i - 1) - 0.4]
    floor_y = 100 * 10 ** (word(pages, 3 * i) - 0.2)
    set yrange [floor_y : 200]
    plot 100 with lines lc rgb "#000000" lw 1.2 dt 1 title "the roof: a streaming read", \
         data index i - 1 using 0:2:xticlabels(1) with boxes lc rgb "#0072b2" title "yours", \
         data index i - 1 using 0:3 with points lc rgb "#d55e00" pt 9 ps 1.1 title "this project's own version", \
         data index i - 1 using 0:($3 < floor_y * 100 ? $3 * 2 : floor_y * 1.5):4 with labels left rotate by 90 noenhanced font ",9" textcolor rgb "#555555" notitle
}
set output
