# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What report/compare prints. -v format (text, tsv, json), by (per cent), alpha. Things are steps and baselines, each on an
# input of a size: key_at[1..keys].

END {
    if (program_ends)
        exit program_ends
    for (r = 1; r <= rows; r++)
        if (is_compared(r))
            add_row(r)
    for (k = 1; k <= keys; k++)
        compute_change(k)
    if (!tests && !verdicts) {
        print "compare: nothing stands in both files with times of a GPU. `report/table` shows what each holds" > "/dev/stderr"
        exit 2
    }
    find_prior()
    for (k = 1; k <= keys; k++)
        judge(k)
    if (format == "text")
        write_text()
    else
        for (k = 1; k <= keys; k++)
            write_for_programs(k)
    exit worse > 0
}

# An empty kernel is launched from the processor, and the CPU's solutions have no parts: neither is compared.
function is_compared(r) {
    return cell(r, "device_kind") == "gpu" && cell(r, "kind") != "empty" && \
           (cell(r, "kind") != "baseline" || num(r, "synced_us") != "" || cell(r, "verdict") != "pass")
}

function add_row(r,    key, k, side) {
    key = key_of(r, "submission step kind problem input rows columns")
    if (!(key in number_of)) {
        number_of[key] = ++keys
        first_row[keys] = r
    }
    k = number_of[key]
    side = block[r]
    has[k, side]++
    note_what_differs(k, side, r)
    if (num(r, "us") == "") {
        failed[k, side] = cell(r, "verdict")
        return
    }
    add_rounds(k, side, cell(r, "samples"), num(r, "samples_asked"), num(r, "iterations"))
}

function is_like_others(k) {
    return cell(first_row[k], "kind") != "baseline"
}

# What a reader should know before he believes a difference.
function note_what_differs(k, side, r) {
    board[side, cell(r, "uuid")]
    gpu[side] = cell(r, "device")
    timed_by[side] = cell(r, "timing")
    if (side == 1)
        source[k] = cell(r, "source_sha256")
    else if (k in source && source[k] != cell(r, "source_sha256"))
        changed_source[k] = 1
}

# change[k], in logarithms: ln(after / before).
function compute_change(k) {
    if (rounds[k, 1] && rounds[k, 2]) {
        change[k] = mean_of(k, 2) - mean_of(k, 1)
        tests++
    } else if (has[k, 1] && has[k, 2] && (rounds[k, 1] || rounds[k, 2]))
        verdicts++
}

# word[k], low[k], high[k].
function judge(k,    error, reach) {
    if (!(k in change)) {
        word[k] = !has[k, 1] ? "only after" : !has[k, 2] ? "only before" : \
                  rounds[k, 1] ? "broken" : rounds[k, 2] ? "mended" : "no times"
        worse += word[k] == "broken"
        return
    }
    error = standard_error(k)
    reach = student_quantile(1 - alpha / tests / 2, degrees(k)) * error
    low[k] = percent_of(change[k] - reach)
    high[k] = percent_of(change[k] + reach)
    change[k] = percent_of(change[k])
    word[k] = low[k] > 0 && change[k] >= by + 0 ? "slower" : high[k] < 0 && -change[k] >= by + 0 ? "faster" : \
              low[k] < -by && high[k] > by + 0 || size_of(change[k]) >= by + 0 && low[k] * high[k] < 0 ? "unsure" : "same"
    worse += word[k] == "slower"
}

function size_of(value) {
    return value < 0 ? -value : value
}

function percent_of(logarithm) {
    return 100 * (exp(logarithm) - 1)
}

function us_of(k, side) {
    return rounds[k, side] ? exp(mean_of(k, side)) * 1e6 : ""
}

# ---- for people ------------------------------------------------------------------------------------

function write_text(    k, i, words, n, text) {
    page_columns = 110
    open_page("text", "")
    begin_table()
    table_column("", "left")
    table_column("on", "left")
    table_column("before, us", "right")
    table_column("after, us", "right")
    table_column("change", "right")
    table_column("interval", "right")
    table_column("", "left")
    for (k = 1; k <= keys; k++) {
        row()
        put(cell(first_row[k], "step") (k in changed_source ? " *" : ""))
        put(cell(first_row[k], "input"))
        put(significant(us_of(k, 1), 4))
        put(significant(us_of(k, 2), 4))
        put(k in change ? sprintf("%+.2f %%", change[k]) : "")
        put(k in change ? sprintf("%+.2f to %+.2f", low[k], high[k]) : "")
        put(word[k] (word[k] == "broken" ? ": " failed[k, 2] : ""))
        count[word[k]]++
    }
    end_table()
    n = split("slower faster broken mended same unsure", words, " ")
    for (i = 1; i <= n; i++)
        if (count[words[i]])
            text = text (text == "" ? "" : ", ") count[words[i]] " " words[i]
    paragraph(text ". A difference counts from " by + 0 " % on; the chance that any `slower` or `faster` here is a false alarm is " \
              100 * alpha " % at the most.")
    write_notes()
    close_pages()
}

function write_notes(    k, marked) {
    for (k in changed_source)
        marked = 1
    if (marked)
        paragraph("* Its source is not the same in both.")
    if (gpu[1] != gpu[2])
        paragraph("These are two kinds of GPU: " gpu[1] " and " gpu[2] ".")
    else if (!same_board())
        paragraph("These are several boards, whose memories differ by up to 3 %: see the reads.")
    if (timed_by[1] != timed_by[2])
        paragraph("The code that times is not the same in both: a part of each change may come from it.")
}

function same_board(    pair, part, name, boards) {
    for (pair in board) {
        split(pair, part, SUBSEP)
        if (part[2] != "" && !(part[2] in name)) {
            name[part[2]]
            boards++
        }
    }
    return boards < 2
}

# ---- for programs ----------------------------------------------------------------------------------

function write_for_programs(k,    names, values, n, i, line) {
    n = split("submission step problem input rows columns before_us after_us change_percent low_percent high_percent word", names, " ")
    for (i = 1; i <= 4; i++)
        values[i] = cell(first_row[k], names[i])
    values[5] = num(first_row[k], "rows")
    values[6] = num(first_row[k], "columns")
    values[7] = us_of(k, 1)
    values[8] = us_of(k, 2)
    values[9] = k in change ? change[k] : ""
    values[10] = low[k]
    values[11] = high[k]
    values[12] = word[k]
    if (format == "tsv") {
        if (k == 1)
            print joined_names(names, n)
        for (i = 1; i <= n; i++)
            line = line (i > 1 ? "\t" : "") (i < 5 ? escaped(values[i]) : i < 12 ? number_text(values[i], "") : values[i])
        print line
        return
    }
    for (i = 1; i <= n; i++)
        line = line (i > 1 ? "," : "{") "\"" names[i] "\":" \
               (i < 5 || i == 12 ? "\"" json_escaped(values[i]) "\"" : number_text(values[i], "null"))
    print line "}"
}

function joined_names(names, n,    i, line) {
    for (i = 1; i <= n; i++)
        line = line (i > 1 ? "\t" : "") names[i]
    return line
}

function number_text(value, none) {
    return value == "" ? none : sprintf("%.6g", value)
}

function json_escaped(text) {
    text = escaped(text)
    gsub(/[\\"]/, "\\\\&", text)
    return text
}
