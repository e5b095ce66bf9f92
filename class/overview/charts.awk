# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Writes what charts.gp draws of a class, tab-separated, into the folder -v out: points.tsv, verdicts.tsv and times.tsv,
# each where there is something to draw. index.awk puts the charts into the page, with words and a table.

END {
    read_verdicts(ENVIRON["VERDICTS"])
    read_points()
    if (student_count == 0)
        exit
    write_points(out "/points.tsv")
    write_verdicts(out "/verdicts.tsv")
    write_times(out "/times.tsv", times_column())
}

function write_points(path,    tenth, list, i) {
    if (grade_shares(list, tenth) == 0)
        return
    print "from\tsubmissions" > path
    for (i = 0; i <= 9; i++)
        print 10 * i "\t" tenth[i] + 0 > path
    close(path)
}

function write_verdicts(path,    s, i, n, names, counts) {
    n = split(VERDICT_GROUPS, names, " ")
    print "step\t" join(names, n) > path
    for (s = 1; s <= step_count; s++) {
        count_groups(steps[s], counts)
        for (i = 1; i <= n; i++)
            counts[i] = 100 * counts[names[i]] / student_count
        print text_for_gnuplot(short_name(steps[s])) "\t" join(counts, n) > path
    }
    close(path)
}

# gnuplot refuses a chart without a number.
function write_times(path, column,    s, facts, names, n, i, cells, lines, any) {
    if (column == "")
        return
    n = split("low q1 median q3 high ours roof", names, " ")
    for (s = 1; s <= step_count; s++) {
        find_times(steps[s], column, facts)
        for (i = 1; i <= n; i++) {
            cells[i] = number_or_nan(facts[names[i]])
            any += cells[i] != "NaN"
        }
        lines = lines "\n" text_for_gnuplot(short_name(steps[s])) "\t" join(cells, n)
    }
    if (any)
        print "step\t" join(names, n) lines > path
    close(path)
}

function join(list, n,    i, text) {
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? "\t" : "") list[i]
    return text
}
