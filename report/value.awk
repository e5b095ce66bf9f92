# The largest value of a field among a problem's passing records of a kind.

END {
    if (bad_input)
        exit 2
    for (i = 1; i <= count; i++) {
        value = field(i, wanted_field)
        if (field(i, "problem") == wanted_problem && field(i, "kind") == wanted_kind && field(i, "verdict") == "pass" && value != "" && value + 0 > best + 0)
            best = value
    }
    if (best != "")
        print best
}
