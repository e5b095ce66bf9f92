# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Prints a line for each finding of a tool of compute-sanitizer, and a line that sums it up.
# -v tool=NAME, -v whole=FILE (the tool's whole output). Exit status: 0 nothing found, 1 something found, 3 the tool
# did not work.

BEGIN {
    looks_for["memcheck"] = "accesses outside of memory, misaligned ones, failed calls"
    looks_for["racecheck"] = "threads that touch one word of shared memory without a barrier between them"
    looks_for["initcheck"] = "reads of device memory that nothing has written"
    looks_for["synccheck"] = "barriers that not all threads reach"
}

{ $0 = printable_lines($0) }

# If the output is wrong at this size, that is worth knowing, whatever the tool finds.
/^driver: call/ { if (tool == "memcheck") print "  " substr($0, 9); wrong = 1; next }
/^driver: / { failed = substr($0, 9); next }

!/^=========/ { next }
{ sub(/^========= ?/, "") }

/SUMMARY:/ { sub(/.*SUMMARY: */, ""); summed = 1; found = $1 + 0; next }
/^(Invalid|Misaligned|Uninitialized|Barrier error|Unused|Program hit|Error: Race reported|Warning: Race reported|ERROR: Race|Error: Potential|Warning: Potential|Divergent)/ {
    finish()
    finding = $0
    sub(/ access at .* in block .*/, " access", finding)
    next
}
/^Error: (process|Target|Device|.*not supported)|^Device not supported|^Error: .*(launch|attach|connect)/ { if (unusable == "") unusable = $0; next }
# Where, by whom: under the finding, and further in.
finding != "" && /^ +(at|and) / {
    text = $0
    if (match(text, /[^\/ ]+\.cuh?:[0-9]+/))
        place = place (place == "" ? "" : ", ") substr(text, RSTART, RLENGTH)
    next
}
finding != "" && /^ +by thread/ { who = $0; gsub(/^ +/, "", who); next }
finding != "" && /^ +(Access|Address) / { what = $0; gsub(/^ +/, "", what); next }
finding != "" && /^ +Saved host|^ +Host Frame/ { finish() }

function finish(    text) {
    if (finding == "")
        return
    text = finding (place == "" ? "" : ", " place)
    if (!(text in seen) && ++told <= 3)
        print "  " text (who == "" ? "" : ", " who) (what == "" ? "" : ": " what)
    seen[text] = 1
    finding = place = who = what = ""
}

END {
    finish()
    if (failed != "" && !found) {
        printf "%-10s did not work: %s\n", tool, failed
        exit 3
    }
    if (!summed || unusable != "") {
        printf "%-10s did not work: %s; its whole output: %s\n", tool, (unusable == "" ? "it printed no summary" : unusable), whole
        exit 3
    }
    if (found)
        printf "%-10s %d found (%s); its whole output: %s\n", tool, found, looks_for[tool], whole
    else
        printf "%-10s nothing found (%s)%s\n", tool, looks_for[tool], wrong ? "; but the output is wrong" : ""
    exit found > 0 || wrong
}
