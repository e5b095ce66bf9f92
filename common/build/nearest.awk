# Prints the names nearest to what somebody typed, at most three, separated by blanks; nothing where
# none is near: awk -v typed=opt5 -f common/build/nearest.awk NAME...

BEGIN {
    MOST = 3
    best = 1 + int(length(typed) / 4)
    for (far = 0; far <= best && !shown; far++)
        for (i = 1; i < ARGC; i++)
            if (distance(typed, ARGV[i]) == far && shown < MOST)
                line = line (shown++ ? " " : "") ARGV[i]
    print line
}

# The number of letters to insert, delete or replace to turn one into the other (edit distance, Levenshtein, 1966).
function distance(a, b,    i, j, cost, row, before, above) {
    for (j = 0; j <= length(b); j++)
        row[j] = j
    for (i = 1; i <= length(a); i++) {
        before = row[0]
        row[0] = i
        for (j = 1; j <= length(b); j++) {
            above = row[j]
            cost = before + (substr(a, i, 1) != substr(b, j, 1))
            if (cost > row[j] + 1)
                cost = row[j] + 1
            if (cost > row[j - 1] + 1)
                cost = row[j - 1] + 1
            before = above
            row[j] = cost
        }
    }
    return row[length(b)]
}
