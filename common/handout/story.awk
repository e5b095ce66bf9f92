# What a student gets of a step.md: its header, the goal and the task as they stand, and every other heading
# with nothing below it, for the student's own words.

/^(```|~~~)/ {
    fenced = !fenced
}

!fenced && /^## / {
    if (kept == 0 && in_body)
        print ""
    in_body = 1
    kept = $0 == "## Goal" || $0 == "## Task"
    print
    next
}

!in_body || kept {
    print
}
