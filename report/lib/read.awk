# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads the rows that report/rows prints, several outputs after one another too. In END:
#
#     rows                     how many there are: 1..rows
#     block[r]                 which output a row stood in: 1, 2, ...
#     cell(r, column)          a text, without its escapes
#     num(r, column)           a number, or "" where it was not measured
#     read_list(r, column, out), read_shares(r, out)   the cells that hold several
#     key_of(r, columns)       what tells rows apart: "submission problem input device"
#
# cell() of a number's column and num() of a text's end the program: a number must not be compared as text.
# Compare with above() and below() of figures.awk. No row (0) has empty cells.

BEGIN {
    FS = "\t"
    rows = blocks = 0
}

$1 == "line" { # the header; in a row it is a number
    blocks++
    for (i = 1; i <= NF; i++)
        column_at[i] = $i
    next
}

{
    block[++rows] = blocks
    for (i = 1; i <= NF; i++)
        if ($i != "")
            value_of[rows, column_at[i]] = $i
}

END {
    if (!blocks) # report/rows has said why
        exit 2
}

function cell(r, column) {
    return unescaped(raw_cell(r, column, "text"))
}

function num(r, column,    text) {
    text = raw_cell(r, column, "number")
    return text == "" ? "" : text + 0
}

function raw_cell(r, column, type) {
    if (type_of[column] != type) {
        printf "report: there is no column of type %s called '%s': see report/lib/columns.awk\n", type, column > "/dev/stderr"
        exit 3
    }
    return ((r, column) in value_of) ? value_of[r, column] "" : ""
}

# The objects of the cell `launches` or `accesses`: see split_list() in columns.awk.
function read_list(r, column, out) {
    return split_list(cell(r, column), column, out)
}

# predicted_shares: out[unit], of those units that the record names.
function read_shares(r, out,    words, n, i) {
    n = split(cell(r, "predicted_shares"), words, " ")
    split("", out)
    for (i = 1; i < n; i += 2)
        out[words[i]] = words[i + 1] + 0
}

function key_of(r, columns,    names, n, i, key) {
    n = split(columns, names, " ")
    key = ""
    for (i = 1; i <= n; i++)
        key = key (i > 1 ? SUBSEP : "") raw_cell(r, names[i], type_of[names[i]])
    return key
}

function is_step(r) {
    return cell(r, "kind") == "step"
}

# Its step's name. Of a baseline that uses CUB the version belongs to it, which is in the name already where CCCL gave
# another CUB than the toolkit's: cub_sum-3.0.1.
function step_shown(r,    name) {
    name = cell(r, "step")
    return cell(r, "kind") == "baseline" && name ~ /^cub_[a-z_]*$/ && cell(r, "cub") != "" ? name "-" cell(r, "cub") : name
}

# Whether a device is the GPU of that name: "NVIDIA H200" is h200.
function is_named_gpu(device, name) {
    return letters_of(name) != "" && index(letters_of(device), letters_of(name)) > 0
}

function letters_of(name) {
    name = tolower(name)
    gsub(/[^a-z0-9]/, "", name)
    return name
}

function is_gpu_of(r, own) {
    return own && (cell(r, "device") == cell(own, "device") || is_named_gpu(cell(r, "device"), cell(own, "predicted_gpu"))) ? 1 : 0
}

# Which GPU: two of the same name may stand in one machine.
function gpu_of(r) {
    return cell(r, "uuid") == "" ? cell(r, "device") : cell(r, "uuid")
}

# Whether the time is another than the step's own, by what the judge has noted (common/judge/timing/timing.c); class/recording/groups.sh measures
# such a one once more.
function was_disturbed(r) {
    return cell(r, "notes") ~ /, and it did not end|the judge.s clock counts/
}

# The first of list[1..n] that knows the column, as a text or a number.
function first_cell(list, n, column,    i) {
    for (i = 1; i <= n; i++)
        if (cell(list[i], column) != "")
            return cell(list[i], column)
    return ""
}

function first_num(list, n, column,    i) {
    for (i = 1; i <= n; i++)
        if (num(list[i], column) != "")
            return num(list[i], column)
    return ""
}
