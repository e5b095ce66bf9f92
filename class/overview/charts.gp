# The chart of a class's page, from the file that overview/overview_charts.c writes into `folder`. It must read well in
# black and white, and on light and dark paper.
set encoding utf8
set datafile separator tab
set datafile missing "NaN"
set datafile columnheaders
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid ytics lc rgb "#909090" lw 0.4
set xtics noenhanced

# What a time is worth: a panel for each step.
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
set output
