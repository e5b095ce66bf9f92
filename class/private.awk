# The part of a record that its student may see.

# Text that came out of grading a submission, without this machine's directories and without the seed. At most
# 600 characters, none of them a control character.
function of_student(text, r,    seed) {
    text = without(text, ENVIRON["RESULTS"] "/", "/")
    while (match(text, /(^|[ ("'`=:<>,[])\/([A-Za-z0-9_.+@-]+\/)+/))
        text = substr(text, 1, RSTART - (substr(text, RSTART, 1) == "/")) substr(text, RSTART + RLENGTH)
    seed = cell(r, "seed")
    if (length(seed) >= 5)
        text = without(text, seed, "(seed)")
    return leading(printable(text), 600)
}

function without(text, what, instead,    at, before) {
    before = ""
    while (length(what) > 1 && (at = index(text, what)) > 0) {
        before = before substr(text, 1, at - 1) instead
        text = substr(text, at + length(what))
    }
    return before text
}
