# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What desk/ladder --short prints: how far the ladders are, and which step is next. The rows are the student's own.

END {
    read_progress()
    page_columns = 80
    open_page("text", "")
    for (p = 1; p <= progress_ladders; p++)
        if (count_begun(progress_ladder[p]) || p == 1)
            preformatted("  " progress_of(progress_ladder[p]))
        else
            others = others (others == "" ? "" : ", ") progress_ladder[p] " (" ladder_steps[progress_ladder[p]] " steps)"
    if (others != "")
        preformatted("  not begun: " others)
    last = last_begun()
    after = last == "" ? ladder_step[progress_ladder[1], 1] : has_passed(last) ? next_step(last) : last
    preformatted("  Next: " (after == "" ? "make journal" : "make " short_name(after) " (" step_header(after, "title") ")"))
    close_pages()
}

# The step that was graded last.
function last_begun(    name, newest) {
    for (name in progress_row)
        if (is_begun(name) && (newest == "" || is_older(progress_row[newest], progress_row[name])))
            newest = name
    return newest
}
