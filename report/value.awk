# The largest value of a field among the passing records of a kind.

END {
    if (bad_input)
        exit 2
    for (i = 1; i <= count; i++) {
        value = field(i, name)
        if (field(i, "kind") == kind && field(i, "verdict") == "pass" && value != "" && value + 0 > best + 0)
            best = value
    }
    if (best != "")
        print best
}
