# What report/value prints.

END {
    for (r = 1; r <= rows; r++)
        if (cell(r, "problem") == wanted_problem && cell(r, "kind") == wanted_kind && cell(r, "verdict") == "pass")
            best = larger(best, wanted(r))
    if (best != "")
        print best
}

function wanted(r) {
    if (wanted_field != "reference_s")
        return num(r, wanted_field)
    return num(r, "reference") == "" ? "" : num(r, "reference") / 1000 * num(r, "iterations")
}
