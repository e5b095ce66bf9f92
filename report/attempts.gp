# One's own attempts at a ladder, in their order: the time of a right answer, and below the times the verdict of any other.
# Each step has a colour and a mark; a line joins its times; predicted ones are hollow. Reads attempts.gp, and of
# attempts.tsv for each step a data set: number, time, that if it is measured, else the verdict's place.
load 'report/style.gp'
set ytics noenhanced font ",10" nomirror
load data."attempts.gp"
tries = data."attempts.tsv"
px(pixels) = pixels / (1.0 * high)
colour(step) = word("#0072b2 #d55e00 #009e73 #a0528a #b07800 #56b4e9 #000000", step % 7 + 1)
mark(step) = int(word("6 4 8 12 10 14", step % 6 + 1)) # hollow: the next one is filled
set label 1 heading."\n".title at screen 0.5, 1 - px(16)
set key at screen 0.5, 1 - px(48) maxrows (steps + 5) / 6 samplen 2 font ",10"
set tmargin at screen 1 - px(60 + 18 * ((steps + 5) / 6))
set bmargin at screen px(56)
set lmargin at screen 0.13
set rmargin at screen 0.985
set xlabel "attempt"
set xtics norotate center
set xrange [before + 0.4:before + (count < 12 ? 12 : count) + 0.6]

# A unit is 22 pixels: verdicts stand at -1, -2, ..., times from 0 to 11 by their logarithm.
middle = low > 0 ? log10(low * high_us) / 2 : 0
half = low > 0 && high_us > 3 * low ? 0.55 * log10(high_us / low) : 0.3
at(us) = 5.5 * (1 + (log10(us) - middle) / half)
set yrange [-rows - 0.5:low > 0 ? 11 : -0.5]
if (low > 0) {
    set label 2 "us a call (log scale)" at screen 0.02, first 5.5 center rotate
    if (rows) { set arrow from graph 0, first -0.3 to graph 1, first -0.3 nohead lc rgb "#777777" lw 0.8 }
    do for [e = -3:9] { do for [m in half > 2 ? "1" : "1 2 5"] {
        us = m * 10.0 ** e
        if (abs(log10(us) - middle) <= half) { set ytics add (sprintf("%.10g", us) at(us)) }
    } }
}
plot for [s = 0:steps - 1] tries index s using 1:(at($2)) with lines lc rgb colour(s) lw 1.4 dt 1 notitle, \
     for [s = 0:steps - 1] tries index s using 1:(at($2)) with points pt mark(s) + 1 ps 1.1 lc rgb "#ffffff" notitle, \
     for [s = 0:steps - 1] tries index s using 1:(at($2)) with points pt mark(s) ps 1.1 lw 1.4 lc rgb colour(s) notitle, \
     for [s = 0:steps - 1] tries index s using 1:(at($3)) with points pt mark(s) + 1 ps 1.1 lc rgb colour(s) notitle, \
     for [s = 0:steps - 1] tries index s using 1:4 with points pt mark(s) + 1 ps 1.1 lc rgb colour(s) notitle, \
     for [s = 0:steps - 1] tries index s using 1:(-99) with points pt mark(s) + 1 ps 1.1 lc rgb colour(s) title columnheader(1)
