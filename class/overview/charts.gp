# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The charts of a class's page, from the files that grades/overview_charts.c writes into `folder`. Series differ by pattern, brightness or marker as
# well as by colour: they must read well in black and white, and on light and dark paper.
set encoding utf8
set datafile separator tab
set datafile missing "NaN"
set datafile columnheaders
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid ytics lc rgb "#909090" lw 0.4
set xtics noenhanced
steps(name) = int(system("wc -l <'".folder."/".name.".tsv'")) - 1 # below the heading
has(name) = int(system("test -e '".folder."/".name.".tsv' && echo 1 || echo 0"))

if (has("points")) {
    set terminal svg size 480,340 font 'sans-serif,11' background 'white'
    set output folder."/points.svg"
    set style fill solid 0.8 border rgb "#0072b2"
    set boxwidth 8.5
    unset key
    set xlabel "per cent of the points"
    set ylabel "submissions"
    set xrange [0:100]
    set xtics 0,10,100
    set yrange [0:*]
    stats folder."/points.tsv" using 2 nooutput name "count"
    if (count_max < 10) { set ytics 1 } # people are whole
    plot folder."/points.tsv" using ($1 + 5):2 with boxes lc rgb "#0072b2", \
         '' using ($1 + 5):2:($2 > 0 ? strcol(2) : "") with labels offset 0,0.6
    set ytics autofreq
}

set terminal svg size 1000,420 font 'sans-serif,12' background 'white'
set xtics rotate by 60 right autofreq
set key top outside horizontal center reverse Left samplen 2

if (has("verdicts")) {
    set output folder."/verdicts.svg"
    set style data histograms
    set style histogram rowstacked
    set boxwidth 0.8
    unset xlabel
    set ylabel "per cent of the submissions"
    set xrange [-0.7:steps("verdicts") - 0.3]
    set yrange [0:100]
    plot folder."/verdicts.tsv" using 2:xticlabels(1) fs solid 0.9 border rgb "#606060" lc rgb "#009e73" title "right", \
         '' using 3 fs pattern 2 border rgb "#606060" lc rgb "#b58900" title "hazard or flagged", \
         '' using 4 fs solid 0.4 border rgb "#606060" lc rgb "#d55e00" title "not right", \
         '' using 5 fs pattern 0 border rgb "#606060" lc rgb "#808080" title "missing or not started", \
         '' using 6 fs pattern 1 border rgb "#606060" lc rgb "#aa4499" title "not graded"
}

# What a time is worth: a panel for each step.
if (has("curves")) {
    file = folder."/curves.tsv"
    names = system("tail -n +2 '".file."' | cut -f 1 | uniq")
    columns = words(names) < 4 ? words(names) : 4
    rows = (words(names) + columns - 1) / columns
    of(name, kind) = strcol(1) eq name && strcol(2) eq kind ? $3 : NaN
    set terminal svg size 250 * columns + 20, 210 * rows + 20 font 'sans-serif,11' background 'white'
    set output folder."/curves.svg"
    unset key
    unset logscale
    set logscale x 10
    set xtics norotate (0.5, 1, 2, 5, 10, 20, 50, 100)
    set format "%g"
    set xrange [*:*] noextend
    set yrange [-6:106]
    set ytics 0,25,100
    set ylabel "% of points for speed"
    set xlabel "time over ours"
    set arrow from 1, graph 0 to 1, graph 1 nohead dt 3 lc rgb "#767676"
    set multiplot layout rows, columns
    do for [i = 1:words(names)] {
        set title word(names, i) noenhanced
        plot file using (of(word(names, i), "curve")):4 with lines lw 1.6 lc rgb "#d55e00", \
             '' using (of(word(names, i), "class")):4 with points pt 6 ps 0.7 lc rgb "#0072b2"
    }
    unset multiplot
}
set output
