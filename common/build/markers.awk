# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What is not the step itself in a step's source. In the instructor's tree these are lines that mark what a
# student is to write, with a few words that remain in the starter:
#
#     /* BEGIN SOLUTION: clear the counts, then launch both kernels */
#     /* END SOLUTION */
#
# (course tools such as nbgrader know the two words). In a starter it is the comment that begins with the line
# `/* Task`, which comes from the step's step.md. Every program that shows a source leaves both out.

function begins_solution(line) {
    return line ~ /BEGIN SOLUTION/
}

function ends_solution(line) {
    return line ~ /END SOLUTION/
}

# Whether a line belongs to the comment with the task. To be asked for every line of a file in turn; `first`
# is true for its first line.
function tells_task(line, first) {
    if (first)
        in_task = 0
    if (line == "/* Task")
        in_task = 1
    else if (!in_task)
        return 0
    if (line ~ /\*\/$/)
        in_task = 0
    return 1
}

# Whether a line is to be shown, asked in the same way.
function is_shown(line, first) {
    return !tells_task(line, first) && !begins_solution(line) && !ends_solution(line)
}
