# What every chart shares. It must read well printed in black and white: series differ by marker and
# dash, colours are few and also differ in brightness. Names hold underscores: text is not "enhanced".
set encoding utf8
set datafile separator tab
set datafile missing "NaN"
set datafile columnheaders
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid ytics lc rgb "#d8d8d8" lw 0.6
set key noenhanced at screen 0.5, 0.885 center top horizontal maxrows 3 reverse Left samplen 3 width 1
set tmargin at screen 0.785
set bmargin at screen 0.24
set label 1 noenhanced at screen 0.5, 0.97 center font strlen(title) > 80 ? ",11" : ",14" # the title: above the key
set samples 2
set ylabel noenhanced offset 1,0
set xtics noenhanced rotate by 40 right
set linetype 1 lc rgb "#000000" lw 1.6 dt 1 pt 7 ps 0.9
set linetype 2 lc rgb "#d55e00" lw 1.4 dt (8,4) pt 4 ps 0.9
set linetype 3 lc rgb "#0072b2" lw 1.4 dt (2,3) pt 9 ps 1.0

# 1, 30, 0.0014: as many digits as say something.
short(x) = x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) : \
           x >= 0.095 ? sprintf("%.2f", x) : sprintf("%.2g", x)
