# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What feedback.gp draws, with the functions of feedback_charts.awk. To the file of ENVIRON DATA: for each page a block of rows,
# one for each step, with the name, the share of the roof and our own version's in %, the time of one call in us and its
# interval, what the roof, our own version and the CPU reference take (NaN where not measured), and the verdict where there is no time.
# DATA.pages and DATA.words: what feedback.gp and `report_view describe` read.

END {
    data = ENVIRON["DATA"]
    read_points()
    for (w = 1; w <= student_count; w++)
        if (is_timed(students[w]))
            write_data(students[w], file_name(students[w]))
        else if (is_foretold(students[w]))
            write_predictions(students[w], file_name(students[w]))
}

function write_data(who, name,    s, r, words) {
    least = most = ""
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        write_row(r, steps[s])
        words = words (s > 1 ? "; " : "") share_in_words(r, steps[s])
    }
    print "\n" > data # gnuplot's next block
    print name, "measured", step_count, -decades_below(lowest_share(who)), axis_ends() > (data ".pages")
    print name "\tShare of the roof, yours and this project's own\tThe share of a streaming read's bandwidth that each step reaches, " \
          "and in brackets that of this project's own version: " words "." > (data ".words")
}

function write_row(r, step,    share) {
    share = share_of(r, "roof_fraction")
    print text_for_gnuplot(short_name(step)) "\t" in_percent(share) "\t" in_percent(share_of(r, "ours_roof_fraction")) "\t" \
          on_axis(num(r, "us")) "\t" number_or_nan(num(r, "us_low")) "\t" number_or_nan(num(r, "us_high")) "\t" \
          on_axis(roof_us(r)) "\t" on_axis(num(r, "ours_us")) "\t" \
          (share == "" ? text_for_gnuplot(decided_verdict(r)) : "") "\t" on_axis(reference_us(r)) > data
}

# The same columns, with times that are predicted.
function write_predictions(who, name,    s, r) {
    least = most = ""
    for (s = 1; s <= step_count; s++) {
        r = at[who, steps[s]]
        print text_for_gnuplot(short_name(steps[s])) "\tNaN\tNaN\t" on_axis(num(r, "predicted_us")) "\t" \
              number_or_nan(num(r, "predicted_low_us")) "\t" number_or_nan(num(r, "predicted_high_us")) "\tNaN\t" \
              on_axis(own_prediction(r)) "\t\tNaN" > data
    }
    print "\n" > data
    print name, "predicted", step_count, 0, axis_ends() > (data ".pages")
}

function in_percent(share) {
    return number_or_nan(share == "" ? "" : 100 * share)
}

# A time that the axis has to show. No call takes less than a nanosecond or more than a quarter of an hour.
function on_axis(us) {
    if (below(us, 0.001) || !below(us, 1e9))
        return "NaN"
    least = smaller(least, us)
    most = larger(most, us)
    return number_or_nan(us)
}

# The decades that the axis of times ends at; some, where there is nothing to show.
function axis_ends() {
    return least == "" ? "0 1" : floor_of_log(least) " " floor_of_log(most) + 1
}

function floor_of_log(value,    power) {
    power = log(value) / log(10)
    return int(power) - (power < int(power))
}

function share_in_words(r, step,    share, own_share) {
    share = share_of(r, "roof_fraction")
    own_share = share_of(r, "ours_roof_fraction")
    return short_name(printable(step)) " " (share == "" ? "no time" : significant(100 * share, 3) " %") \
           (own_share == "" ? "" : " (" significant(100 * own_share, 3) " %)")
}
