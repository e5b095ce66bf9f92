# Compares a counts file with what its test expects: awk -f expect.awk TEST.cu COUNTS
# In the test, below an access:   //= UP KIND SPACE BYTES REQUESTS LANES SECTORS LINES WAVEFRONTS CONFLICTS SAME MOST
# UP is how many lines above the innermost loop begins, or - outside of loops. Each site must be expected, and each
# expectation met, if there are any; those of local memory on lines that expect some. Lines that begin with //: are lines of the counts file, in its order; those of a trace follow one
# another; @ stands for any line of a launch. Lines such as   //# 60002 trace 1 0 0   say how many requests those of a trace stand for.

FNR == NR && /^ *\/\/= / {
    sub(/^ *\/\/= /, "")
    asks = 1
    locals[code] += $3 == "local"
    expected[code " " $0]++
    next
}
FNR == NR { code = FNR }
FNR == NR && /^ *\/\/: / { sub(/^ *\/\/: /, ""); wanted[++lines] = $0 }
FNR == NR && /^ *\/\/# / { stand["trace " $4 " " $5 " " $6] = $2 }
FNR == NR { next }
$1 == "site" && $7 == "local" && !locals[$4] { next }
$1 == "site" && asks {
    up = $5 ? $4 - $5 : "-"
    $1 = $2 = $3 = $5 = ""
    line = $4
    $4 = up
    sub(/^ +/, "")
    gsub(/ +/, " ")
    if (expected[line " " $0]-- < 1) { print "line " line ": not expected: " $0; bad = 1 }
    next
}
$1 == "op" && wanted[met + 1] ~ /^op [0-9]+ kernel @/ { $4 = "@" }
# Weights of a warp's trace: how much the requests of it stand for.
$1 == "trace" { warp = $0; weight = 1 }
$1 == "s" { weight = $2 + 0 }
$1 == "r" { stands[warp] += weight }
$0 == wanted[met + 1] { met++; tracing = $1 == "trace" && wanted[met + 1] ~ /^[rs] |^[bwfdte]$/ || tracing && $1 != "e"; next }
tracing { print "in a trace: " $0 ", and not " wanted[met + 1]; bad = 1; tracing = 0 }
END {
    for (e in expected) if (expected[e] > 0) { print "not counted: line " e; bad = 1 }
    if (met < lines) { print "not in the counts file (in this order): " wanted[met + 1]; bad = 1 }
    for (warp in stand) if (int(stands[warp] + 0.5) != stand[warp]) {
        print warp ": its requests stand for " stands[warp] ", and not " stand[warp]
        bad = 1
    }
    exit bad
}
