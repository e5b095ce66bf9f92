# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What a step.md demands of its step's counters, if its idea is in it. In the header, one line each:
#
#     counters: FIGURE [of KERNEL] OP VALUE
#
# OP is >=, <=, >, < or =. VALUE is a number, a number with %, or a multiple of the GPU's multiprocessors:
# `multiprocessors`, `2 * multiprocessors`. labs/README.md says what the figures are. A figure is of the kernel that
# reads the input, unless KERNEL names another, or of the whole call.
#
# parse_demand(text, demand) returns "" and sets demand["figure"], ["kernel"], ["op"], ["value"] and
# ["multiple"] (1: of the multiprocessors), or it returns what is wrong with the text.

BEGIN {
    add_figure("kernel", "blocks", "block", "blocks")
    add_figure("kernel", "threads", "thread a block", "threads a block")
    add_figure("kernel", "waves", "wave of blocks", "waves of blocks")
    add_figure("kernel", "barriers", "barrier for each warp", "barriers for each warp")
    add_figure("kernel", "loads-a-thread", "load from global memory for each thread", "loads from global memory for each thread")
    add_figure("kernel", "bytes-a-load", "byte a load", "bytes a load")
    add_figure("kernel", "sectors-a-load", "sector a load", "sectors a load")
    add_figure("kernel", "bytes-used-a-sector", "byte used of each 32-byte sector that it loads", "bytes used of each 32-byte sector that it loads")
    add_figure("kernel", "lanes-a-shared-access", "lane in each access to shared memory", "lanes in each access to shared memory")
    add_figure("kernel", "bank-conflicts", "% bank conflicts", "% bank conflicts")
    add_figure("kernel", "shared-accesses", "access to shared memory", "accesses to shared memory")
    add_figure("kernel", "shared-atomics", "shared atomic", "shared atomics")
    add_figure("kernel", "shared-atomics-a-thread", "shared atomic for each thread", "shared atomics for each thread")
    add_figure("kernel", "shared-loads-a-thread", "load from shared memory for each thread", "loads from shared memory for each thread")
    add_figure("kernel", "global-atomics-a-block", "global atomic a block", "global atomics a block")
    add_figure("kernel", "written-bytes-a-block", "byte written by each block", "bytes written by each block")
    add_figure("call", "global-atomics", "global atomic", "global atomics")
    add_figure("call", "launches", "kernel", "kernels")
    add_figure("call", "overlapping-launches", "launch that may overlap the one before", "launches that may overlap the one before")
    add_figure("call", "operations", "operation of the GPU", "operations of the GPU")
}

function add_figure(scope, name, one, several) {
    figure_scope[name] = scope
    figure_one[name] = one
    figure_several[name] = several
}

function parse_demand(text, demand,    word, n, at, i) {
    split("", demand)
    n = split(text, word, " ")
    demand["figure"] = word[1]
    if (!(word[1] in figure_scope))
        return "there is no figure '" word[1] "'"
    at = 2
    if (word[2] == "of") {
        demand["kernel"] = word[3]
        at = 4
        if (figure_scope[word[1]] == "call")
            return word[1] " is of the whole call, not of a kernel"
        if (word[3] !~ /^[A-Za-z_][A-Za-z_0-9]*$/)
            return "'of' is followed by a kernel's name, not by '" word[3] "'"
    }
    demand["op"] = word[at]
    if (word[at] !~ /^(>=|<=|>|<|=)$/)
        return "expected >=, <=, >, < or =, not '" word[at] "'"
    text = ""
    for (i = at + 1; i <= n; i++)
        text = text (i > at + 1 ? " " : "") word[i]
    return parse_demanded_value(text, demand)
}

function parse_demanded_value(text, demand,    in_percent) {
    demand["multiple"] = text ~ /multiprocessors$/
    if (demand["multiple"])
        sub(/^multiprocessors$/, "1 * multiprocessors", text)
    in_percent = sub(/ ?%$/, "", text)
    if (text !~ (demand["multiple"] ? "^[0-9]+([.][0-9]+)? [*] multiprocessors$" : "^[0-9]+([.][0-9]+)?$"))
        return "'" text "' is no value: 16, 5 %, multiprocessors, 2 * multiprocessors"
    if (in_percent != (figure_one[demand["figure"]] ~ /^%/))
        return demand["figure"] (in_percent ? " is no share: leave out the %" : " is a share: its value ends in %")
    demand["value"] = text + 0
    return ""
}

# "at least 132 blocks"; a demand of `> 0` is of any, one of `= 0` of none.
function demand_in_words(demand, value,    op, some) {
    op = demand["op"]
    some = figure_several[demand["figure"]]
    if (value == 0 && op == ">")
        return some
    if (value == 0 && (op == "=" || op == "<="))
        return "no " some
    return (op == ">=" ? "at least " : op == "<=" ? "at most " : op == ">" ? "more than " : op == "<" ? "fewer than " : "") \
           demanded_number(value) " " (value == 1 ? figure_one[demand["figure"]] : some)
}

function demanded_number(value) {
    return value == int(value) ? sprintf("%.0f", value) : sprintf("%.3g", value)
}
