# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Two small charts for each page of feedback, steps from top to bottom: share/NAME.svg, the share of the roof that each step
# reaches, and time/NAME.svg, the time of one call beside those that it is held against. Reads `data`, a block of rows for
# each page (class/students/feedback_charts.c says which columns), and data.pages: name, "measured" or "predicted", number of rows, then the
# decade where the axis begins and, for times, that where it ends. What is predicted has no share of a roof, and is drawn
# hollow. No text may be read as markup, so none is "enhanced".
set encoding utf8
set datafile separator tab
set datafile missing "NaN"
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid xtics lc rgb "#888888" lw 0.6
set key top left reverse Left samplen 1.5 horizontal outside noenhanced
set lmargin 9
set rmargin 3
set logscale x
set format x "%g"
set ytics noenhanced
set style fill solid 0.8 border rgb "#000000"
pages = system("cat '".data.".pages'")
do for [i = 1:words(pages) / 6] {
    name = word(pages, 6 * i - 5)
    n = word(pages, 6 * i - 3)
    set terminal svg noenhanced size 480,120 + 22 * n font 'sans-serif,14' background 'white'
    set yrange [n - 0.4 : -0.6]

    set output "time/".name.".svg"
    set xlabel "us a call"
    set xrange [10.0 ** word(pages, 6 * i - 1) : 10.0 ** word(pages, 6 * i)]
    if (word(pages, 6 * i - 4) eq "predicted") {
        plot data index i - 1 using 4:0:5:6:yticlabels(1) with xerrorbars lc rgb "#0072b2" dt (3,3) pt 6 ps 0.8 title "yours, predicted, not measured", \
             data index i - 1 using 8:0 with points lc rgb "#d55e00" pt 8 ps 1.1 title "this project's own, predicted"
        continue
    }
    plot data index i - 1 using 7:0:($4 - $7):(0):yticlabels(1) with vectors nohead lc rgb "#888888" lw 1.2 notitle, \
         data index i - 1 using 4:0:5:6 with xerrorbars lc rgb "#0072b2" pt 7 ps 0.8 title "yours", \
         data index i - 1 using 8:0 with points lc rgb "#d55e00" pt 9 ps 1.1 title "this project's own", \
         data index i - 1 using 7:0 with points lc rgb "#000000" pt 2 ps 0.8 title "the roof", \
         data index i - 1 using 10:0 with points lc rgb "#009e73" pt 6 ps 0.9 title "CPU reference"

    set output "share/".name.".svg"
    set xlabel "% of the roof"
    from = 100 * 10.0 ** (word(pages, 6 * i - 2) - 0.1)
    set xrange [from : 200]
    plot data index i - 1 using (from):0:(from):2:($0 - 0.3):($0 + 0.3):yticlabels(1) with boxxyerror lc rgb "#0072b2" title "yours", \
         data index i - 1 using 3:0 with points lc rgb "#d55e00" pt 9 ps 1.1 title "this project's own", \
         data index i - 1 using (100):($0 - 0.5):(0):(1) with vectors nohead lc rgb "#000000" lw 1.2 notitle, \
         data index i - 1 using (from * 1.1):0:9 with labels left noenhanced font ",12" textcolor rgb "#000000" notitle
}
set output
