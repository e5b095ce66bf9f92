# What a student gets of a step.md: its header, the goal and the task as they stand, and every other heading
# with nothing below it, for the student's own words. With left_out=1 the opposite: what is kept back.

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
