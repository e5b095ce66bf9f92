# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What a student wrote, for journal.awk: the sections of a step.md, and the source.

# What was written below the header, as it stands. The task is left out (a
# journal tells what was done), and so is a heading with nothing below it. Sets has_words[step]: whether there is anything
# but the goal, which is handed out.
function print_words(step,    i, n, titles, texts) {
    n = read_sections(ENVIRON["LABS"] "/" step "/step.md", 0, titles, texts)
    for (i = 1; i <= n; i++)
        print_section(step, titles[i], texts[i])
}

function print_section(step, title, text) {
    if (title == "## Task" || !is_written(text))
        return
    if (title != "## Goal")
        has_words[step] = 1
    sub(/^\n+/, "", text)
    sub(/\n+$/, "\n", text)
    as_it_is((title == "" ? "" : "#" title "\n") text)
}

# One line at the end of the journal.
function print_wordless(list, count,    i, names, some) {
    for (i = 1; i <= count; i++)
        if (!has_words[list[i]]) {
            names = names (names == "" ? "" : ", ") code(short_name(list[i]))
            some++
        }
    if (names != "")
        paragraph((some == 1 ? "This step has" : "These steps have") " no words yet: " names ". They belong under the headings of " \
                  code("step.md") ", beside each source.")
}

# Without the marks of solutions, and without the task that a starter begins with.
function print_source(r, path, name,    line, found) {
    found = 0
    while ((getline line < path) > 0) {
        if (!found++)
            as_it_is("### Source: `" name "`\n\n~~~~~~~~ {.cpp}")
        if (is_shown(line, found == 1))
            as_it_is(line)
    }
    close(path)
    if (!found)
        return
    as_it_is("~~~~~~~~\n")
    if (cell(r, "source_sha256") != "" && !is_source(path, cell(r, "source_sha256")))
        as_it_is("**This source has changed since the results above were measured.** " \
                 "Grade again, then make the journal again.\n")
}
