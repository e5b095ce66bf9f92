# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The pairs that class/similar found: a list as text, and ENVIRON PAGE, an HTML page that shows them side by side. Input:
# a line for each pair, the most alike of a step first, tab-separated: step, share of a, share of b (per cent), tokens of
# a's and of b's own, who a is, who b is, 1 if the files are the same, a folder, the names of a and b in it, and the lines
# that both have: "3-7:12-16 20-24:40-44" (a's first). The folder holds source/NAME, and rest/NAME, in which each line that
# comes from this tree is empty.
#
# Students wrote the sources: all of them passes through html_escaped().

BEGIN {
    MOST_SHOWN = 100 # pairs side by side: more than anybody reads
    GIVEN_SHOWN = 3  # lines in a row that are nobody's own; the rest of them is left out
    page_title = "Alike"
    page_styles = page_styles " class/similar.css"
    FS = "\t"
}

{
    pair_count++
    for (i = 1; i <= 12; i++)
        pair[pair_count, i] = i == 6 || i == 7 ? as_known($i) : $i
}

# A submission as people know it: the name of people.tsv (class/people_rows.awk), with the id that it goes by.
function as_known(who,    name) {
    name = person(who, "name")
    return printable(name == who ? who : name " (" who ")")
}

END {
    open_page("text", "")
    print_pairs(0)
    close_pages()
    open_page("html", ENVIRON["PAGE"])
    heading(1, page_title)
    print_pairs(1)
    close_pages()
    if (pair_count > 0)
        print "\nSide by side: " printable(ENVIRON["PAGE"])
}

function print_pairs(side_by_side,    p, last) {
    paragraph("Alike in what was not handed out and is not in this project's own steps.")
    paragraph("Evidence for a person, not a verdict: two may have had the same idea, the same teacher or the same page before " \
              "them. Look at both files before you ask anyone.")
    if (side_by_side && pair_count > 0)
        paragraph("Side by side, a number such as =1 marks lines that both have, whatever the names and numbers in them; a dot marks " \
                  "lines that were handed out or that this project's own steps have.")
    for (p = 1; p <= pair_count; p = last + 1) {
        for (last = p; last < pair_count && pair[last + 1, 1] == pair[p, 1]; last++)
            ;
        list_of_pairs(p, last)
        for (; side_by_side && p <= last && p <= MOST_SHOWN; p++)
            show_pair(p)
    }
    if (pair_count == 0)
        paragraph("No pair has " at_least " % or more in common.")
    if (side_by_side && pair_count > MOST_SHOWN)
        paragraph("Only the first " MOST_SHOWN " of " pair_count " pairs are shown side by side: --at-least with a higher percentage " \
                  "leaves fewer.")
}

function list_of_pairs(from, to,    p) {
    heading(2, pair[from, 1])
    begin_table()
    table_column("share", "right")
    table_column("of", "left", 0, 36)
    table_column("share", "right")
    table_column("of", "left", 0, 36)
    table_column("tokens of their own", "left")
    for (p = from; p <= to; p++) {
        row()
        put(pair[p, 2] " %")
        put(pair[p, 6])
        put(pair[p, 3] " %")
        put(pair[p, 7])
        put(pair[p, 4] " and " pair[p, 5] (pair[p, 8] ? ": the same file" : ""))
    }
    end_table()
}

# ---- a pair ----------------------------------------------------------------------------------------

function show_pair(p,    folder) {
    folder = pair[p, 9] "/"
    read_side("a", folder, pair[p, 10])
    read_side("b", folder, pair[p, 11])
    read_runs(pair[p, 12])
    heading(3, pair[p, 1] ": " pair[p, 6] " and " pair[p, 7])
    paragraph(pair[p, 2] " % of " pair[p, 6] ", " pair[p, 3] " % of " pair[p, 7])
    begin_table()
    attribute("class", "pair")
    begin_side(pair[p, 6])
    begin_side(pair[p, 7])
    align()
    end_table()
}

function begin_side(who) {
    table_column("line", "right")
    table_column("", "right")
    table_column(who, "left")
}

# Reads one side: text[side, line], lines[side], and sign[side, line]: "." where it comes from this tree, " " where there is
# no code.
function read_side(side, folder, name,    n, line) {
    n = 0
    while ((getline line < (folder "source/" name)) > 0)
        text[side, ++n] = line
    lines[side] = n
    for (n = 1; n <= lines[side]; n++)
        sign[side, n] = has_code(folder "code/" name) ? "." : " "
    for (n = 1; n <= lines[side]; n++)
        if (has_code(folder "rest/" name))
            sign[side, n] = ""
    close(folder "source/" name)
    close(folder "code/" name)
    close(folder "rest/" name)
}

# Whether the file's next line has something in it.
function has_code(file,    line) {
    return (getline line < file) > 0 && line ~ /[^ \t\r]/
}

# Marks the lines of the runs with their numbers.
function read_runs(shared,    list, r, part) {
    run_count = split(shared, list, " ")
    for (r = 1; r <= run_count; r++) {
        split(list[r], part, ":")
        mark_run("a", r, part[1])
        mark_run("b", r, part[2])
    }
}

function mark_run(side, r, range,    ends, line) {
    split(range, ends, "-")
    run_from[side, r] = ends[1] + 0
    run_to[side, r] = ends[2] + 0
    for (line = run_from[side, r]; line <= run_to[side, r]; line++)
        if (sign[side, line] == "")
            sign[side, line] = r
}

# Rows with the runs side by side, where both have them in the same order; code that was moved is marked all the same.
function align(    r, i, j) {
    i = j = 1
    passed_over = 0
    for (r = 1; r <= run_count; r++)
        if (run_from["a", r] >= i && run_from["b", r] >= j) {
            rows_of_lines(i, run_from["a", r] - 1, j, run_from["b", r] - 1)
            rows_of_lines(run_from["a", r], run_to["a", r], run_from["b", r], run_to["b", r])
            i = run_to["a", r] + 1
            j = run_to["b", r] + 1
        }
    rows_of_lines(i, lines["a"], j, lines["b"])
    say_passed_over()
}

# Lines i to i_last of a beside j to j_last of b. Of many lines in a row that are nobody's own, the first are shown.
function rows_of_lines(i, i_last, j, j_last) {
    for (; i <= i_last || j <= j_last; i++) {
        if (is_own("a", i, i_last) || is_own("b", j, j_last))
            say_passed_over()
        else
            passed_over++
        if (passed_over <= GIVEN_SHOWN) {
            row()
            put_side("a", i, i_last)
            put_side("b", j, j_last)
        }
        j++
    }
}

function is_own(side, line, last) {
    return line <= last && sign[side, line] !~ /^[. ]$/
}

function say_passed_over() {
    if (passed_over > GIVEN_SHOWN) {
        row()
        put("(" (passed_over - GIVEN_SHOWN) " more)", 6)
    }
    passed_over = 0
}

function put_side(side, line, last,    mark, source) {
    if (line > last) {
        put("", 3)
        return
    }
    mark = sign[side, line]
    put(line)
    put(mark ~ /^[0-9]/ ? "=" mark : mark)
    source = text[side, line]
    gsub(/\t/, "    ", source)
    put(printable(source))
    attribute("class", mark == "" ? "own" : mark ~ /^[. ]$/ ? "given" : "same")
}
