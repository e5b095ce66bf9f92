# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What report/markdown prints. ENVIRON PAGES: a directory with a step's page in a file of its name.

END {
    open_page("markdown", "")
    for (r = 1; r <= rows; r++)
        if (is_step(r) && cell(r, "submission") == "")
            take(r)
    sort_rows(list, begun, "problem")
    paragraph(begun ? strong(passed " of " begun " steps passed") (not_started ? ", " not_started " not started" : "") \
              : "No step has been begun.")
    if (begun)
        print_steps()
    for (i = 1; i <= begun; i++)
        print_page(list[i])
    close_pages()
}

function take(r) {
    if (cell(r, "verdict") == "not-started") {
        not_started++
        return
    }
    list[++begun] = r
    passed += above(num(r, "success"), 0)
}

# The last column is a prediction or a measurement, and says which.
function print_steps(    i, r) {
    begin_table()
    table_column("", "left")
    table_column("step", "left")
    table_column("verdict", "left")
    table_column("us a call", "right")
    for (i = 1; i <= begun; i++) {
        r = list[i]
        row()
        put(num(r, "success") ? "✓" : "✗")
        put(code(cell(r, "step")))
        put(verdict_shown(r) (cell(r, "verdict") == "pass" || cell(r, "detail") == "" ? "" : ": " cell(r, "detail")))
        put(time_of(r))
    }
    end_table()
}

function time_of(r) {
    if (num(r, "us") != "")
        return significant(num(r, "us"), 4)
    if (cell(r, "verdict") == "pass" && num(r, "predicted_us") != "")
        return "~" significant(num(r, "predicted_us"), 3) ", predicted for " a_gpu(cell(r, "predicted_gpu"))
    return "not measured"
}

function print_page(r,    path, line, text) {
    path = ENVIRON["PAGES"] "/" cell(r, "step")
    while ((getline line < path) > 0)
        text = text line "\n"
    close(path)
    if (text == "")
        return
    as_it_is("<details" (num(r, "success") ? "" : " open") "><summary>" html_escaped(cell(r, "step") ": " cell(r, "verdict")) "</summary>\n")
    sub(/\n+$/, "", text)
    preformatted(text)
    as_it_is("\n</details>\n")
}
