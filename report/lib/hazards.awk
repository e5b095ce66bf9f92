# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What the checked build saw in a step, in words. read_hazards(r) reads a row's cell `hazards`, which rows.awk
# packs; afterwards there are hazard[1..hazards, name] and, of the places 1..hazard[h, "places"],
# hazard[h, p, name]. The names are those of the record's fields.

function read_hazards(r,    lines, n, i, part, p) {
    hazards = 0
    n = split(cell(r, "hazards"), lines, "\n")
    for (i = 1; i <= n; i++) {
        split(lines[i] "\t\t\t\t\t\t\t", part, "\t")
        if (part[1] == "hazard") {
            hazard[++hazards, "kind"] = part[2]
            hazard[hazards, "severity"] = part[3]
            hazard[hazards, "array"] = part[4]
            hazard[hazards, "index"] = part[5]
            hazard[hazards, "note"] = part[6]
            hazard[hazards, "places"] = 0
        } else if (hazards) {
            p = ++hazard[hazards, "places"]
            hazard[hazards, p, "file"] = part[2]
            hazard[hazards, p, "line"] = part[3]
            hazard[hazards, p, "source"] = part[4]
            hazard[hazards, p, "does"] = part[5]
            hazard[hazards, p, "block"] = part[6]
            hazard[hazards, p, "thread"] = part[7]
            hazard[hazards, p, "host"] = part[8]
        }
    }
}

# "race-in-block on counts[17]"
function hazard_title(h,    array, at) {
    array = hazard[h, "array"]
    at = hazard[h, "index"]
    if (array == "")
        return hazard[h, "kind"]
    if (at == "")
        return hazard[h, "kind"] " on " array
    return hazard[h, "kind"] " on " (array ~ / / ? "element " at " of " array : array "[" at "]")
}

# The same, its lines and its note: "race-in-block on counts[17]: opt_2dhisto.cu:34 writes, opt_2dhisto.cu:29 reads"
function hazard_in_short(h,    p, text) {
    text = hazard_title(h)
    for (p = 1; p <= hazard[h, "places"]; p++)
        text = text (p == 1 ? ": " : ", ") hazard_line(h, p, base_name(hazard[h, p, "file"])) " " hazard[h, p, "does"]
    return text (hazard[h, "note"] == "" ? "" : " (" hazard[h, "note"] ")")
}

function hazard_line(h, p, file) {
    return hazard[h, p, "line"] == "" ? "an unknown line" : file ":" hazard[h, p, "line"]
}

# "labs/opt05_multiblock/opt_2dhisto.cu:34: writes (thread 5 of block 2)"
function hazard_place(h, p) {
    return hazard_line(h, p, hazard[h, p, "file"]) ": " hazard[h, p, "does"] " (" hazard_who(h, p) ")"
}

function hazard_who(h, p) {
    if (hazard[h, p, "host"] == "true")
        return "on the host"
    return "thread " hazard_index(hazard[h, p, "thread"]) " of block " hazard_index(hazard[h, p, "block"])
}

# x y z as people write it: 5, or (5,1,0).
function hazard_index(three,    part) {
    split(three, part, " ")
    return part[2] + part[3] == 0 ? part[1] : "(" part[1] "," part[2] "," part[3] ")"
}
