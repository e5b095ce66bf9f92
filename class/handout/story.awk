# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The part of a step.md that a student gets: its header, the goal and the task as they are, and every other
# heading with nothing below it, for the student's own words. With left_out=1 the rest, which is kept back.

/^(```|~~~)/ {
    fenced = !fenced
}

!fenced && /^## / {
    if (!left_out && in_body && !kept)
        print ""
    in_body = 1
    kept = $0 == "## Goal" || $0 == "## Task"
    if (!left_out)
        print
    next
}

(!in_body || kept) == !left_out {
    print
}
