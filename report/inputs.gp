# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Each step's time on each input, as a table: in the first row the time of one call on the main input, below it what each
# other input takes more (+) or less (-) in per cent. The sign says it, and so does the shade: darker is farther from
# nothing, orange slower and blue faster. A star stands at a time that was disturbed. Reads inputs.tsv and inputs.gp.
load style
load data."inputs.gp"
times = data."inputs.tsv"
set label 1 heading."\n".title
set key off
unset grid
unset border
set tics scale 0
set lmargin at screen 0.13
set rmargin at screen 0.98
set tmargin at screen 0.84
set xrange [0.5:columns + 0.5]
set yrange [series + 0.5:0.5]
set ylabel ""
set xtics 1
set style fill solid 1 border rgb "#ffffff"
array shades_slower[4] = [0xffffff, 0xfde3cf, 0xf9bd8c, 0xf0a058]
array shades_faster[4] = [0xffffff, 0xd6e8f5, 0xa5cdea, 0x74b3df]
farness(ratio) = abs(ratio - 1) < 0.015 ? 1 : abs(ratio - 1) < 0.05 ? 2 : abs(ratio - 1) < 0.2 ? 3 : 4
shade(ratio) = ratio != ratio ? 0xffffff : ratio > 1 ? shades_slower[farness(ratio)] : shades_faster[farness(ratio)]
rounded(ratio) = floor(100 * (ratio - 1) + 0.5)
signed(ratio) = rounded(ratio) == 0 ? "0" : sprintf("%+d", rounded(ratio))
in_us(us) = us >= 1e6 ? sprintf("%.2f s", us / 1e6) : us >= 1e4 ? sprintf("%.1f ms", us / 1e3) : \
            us >= 100 ? sprintf("%.0f us", us) : sprintf("%.1f us", us)
# Without a time on the main input there is no ratio: the time itself. Without any time: why.
time_or_verdict(us, verdict) = us != us ? verdict : in_us(us)
change(ratio, us, verdict) = ratio != ratio ? time_or_verdict(us, verdict) : signed(ratio)
star(mark) = mark eq "*" ? mark : ""
if (disturbed) set label 2 "* disturbed: the notes of its record say by what" at screen 0.98, 0.86 right font ",9"
plot times index 0 using 1:(1):(0.5):(0.5):(0xeeeeee):xticlabels(2):yticlabels(input_names[1]) with boxxyerror lc rgb variable, \
     times index 0 using 1:(1):(time_or_verdict(column(3), strcol(6)).star(strcol(7))) with labels font ",9", \
     for [i = 1:series - 1] times index i using 1:(i + 1):(0.5):(0.5):(shade(column(4))):yticlabels(input_names[i + 1]) \
         with boxxyerror lc rgb variable, \
     for [i = 1:series - 1] times index i using 1:(i + 1):(change(column(4), column(3), strcol(6)).star(strcol(7))) with labels font ",10"
