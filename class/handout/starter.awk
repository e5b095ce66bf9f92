# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# A step's starter: its source (the second file), with a TODO in place of each solution and, before the first
# #include, the task from its step.md (the first file) as a comment. Run with -f common/build/markers.awk.

FILENAME == ARGV[1] {
    if (/^## /)
        in_task_section = $0 == "## Task"
    else if (in_task_section)
        task = task $0 "\n"
    next
}

/^#include/ && !task_printed {
    print_task()
    task_printed = 1
}

begins_solution($0) {
    inside = 1
    print todo($0)
    next
}

ends_solution($0) {
    inside = 0
    next
}

!inside {
    print
}

function print_task(    lines, count, i) {
    sub(/^\n+/, "", task)
    sub(/\n+$/, "", task)
    if (task == "")
        return
    count = split(task, lines, "\n")
    print "/* Task\n *"
    for (i = 1; i <= count; i++)
        print (lines[i] == "" ? " *" : " * " lines[i])
    print " */"
}

function todo(line) {
    sub(/BEGIN SOLUTION/, "TODO", line)
    return line
}
