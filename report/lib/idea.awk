# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Whether a step's idea is in it, as far as its counters tell. It changes no verdict; a rubric may give points for it. See
# demands.awk for what a step.md may demand; launch[] and access[] are those of counters.awk.
#
# idea_of(step, gpu, input_bytes) returns "" where nothing is demanded or nothing was counted, "there" where
# all that is demanded is so, or what is missing, as words that follow the step's name: "asks for at least 132 blocks, but
# histogram has 1 (line 41)". input_bytes is of the call that was counted.

function idea_of(step, gpu, input_bytes,    lines, n, i, demand, missing, any) {
    if (!launches)
        return ""
    call_bytes = input_bytes
    n = split(step_header(step, "counters"), lines, "\n")
    for (i = 1; i <= n; i++) {
        if (parse_demand(lines[i], demand) != "") # tests/run lint says what is wrong with it
            continue
        missing = missing_of(demand, gpu)
        if (missing != "" && missing != "unknown")
            return missing
        any += missing == ""
    }
    return any ? "there" : ""
}

# What is missing of one demand; "" for nothing.
function missing_of(demand, gpu,    value, l, found) {
    value = demand["value"]
    if (demand["multiple"]) {
        if (!above(gpu_fact(gpu, "multiprocessors"), 0))
            return "unknown"
        value *= gpu_fact(gpu, "multiprocessors")
    }
    # Older GPUs have no programmatic dependent launch.
    if (demand["figure"] == "overlapping-launches" && !above(gpu_fact(gpu, "compute_capability"), 8.9))
        return "unknown"
    l = demand["kernel"] == "" ? input_launch() : launch_of(demand["kernel"])
    if (!l)
        return "asks for " demand_in_words(demand, value) ", but has no kernel " demand["kernel"]
    found_line = figure_scope[demand["figure"]] == "call" ? "" : launch[l, "line"]
    found = figure_of(demand["figure"], l, demand["op"] ~ /^>/)
    if (found == "")
        return "unknown"
    if (fulfils(found + 0, demand["op"], value))
        return ""
    return "asks for " demand_in_words(demand, value) ", but " \
           (figure_scope[demand["figure"]] == "call" ? "a call" : printable(launch_name(launch[l, "kernel"]))) " has " \
           (found == 0 ? "none" : demanded_number(found) (figure_one[demand["figure"]] ~ /^%/ ? " %" : "")) \
           (above(found_line, 0) ? " (line " found_line ")" : "")
}

function fulfils(found, op, value) {
    return op == ">=" ? found >= value : op == "<=" ? found <= value : op == ">" ? found > value : \
           op == "<" ? found < value : found == value
}

# The first launch that reads half of the input or more; if none does, the one that reads most.
function input_launch(    i, most) {
    for (i = 1; i <= launches; i++) {
        if (call_bytes != "" && launch[i, "read_bytes"] >= call_bytes / 2)
            return i
        if (!most || above(launch[i, "read_bytes"], launch[most, "read_bytes"]))
            most = i
    }
    return most
}

# Of that kernel's launches the one with the most blocks; 0 where there is none.
function launch_of(kernel,    i, largest) {
    for (i = 1; i <= launches; i++)
        if (launch_name(launch[i, "kernel"]) == kernel && \
            (!largest || above(launch[i, "blocks"], launch[largest, "blocks"])))
            largest = i
    return largest + 0
}

# A figure of launch l, or of the call; "" where nobody knows it. Sets found_line where an access decides. Where
# several loads move about as much, the best counts: `more` says that more is better.
function figure_of(name, l, more,    warps) {
    if (name == "blocks" || name == "threads" || name == "waves")
        return launch[l, name]
    if (name == "launches")
        return launches
    if (name == "overlapping-launches")
        return overlapping_launches()
    if (name == "operations")
        return operations_of_call()
    if (name == "global-atomics")
        return requests_of("", "atomic", "global")
    if (name == "global-atomics-a-block")
        return ratio_of(requests_of(l, "atomic", "global"), launch[l, "blocks"])
    if (name == "written-bytes-a-block")
        return ratio_of(launch[l, "written_bytes"], launch[l, "blocks"])
    if (name == "shared-atomics")
        return requests_of(l, "atomic", "shared")
    if (name == "shared-atomics-a-thread")
        return a_thread(l, "atomic", "shared")
    if (name == "shared-loads-a-thread")
        return a_thread(l, "load", "shared")
    if (name == "shared-accesses")
        return requests_of(l, "", "shared")
    if (name == "barriers") {
        warps = launch[l, "blocks"] * int((launch[l, "threads"] + 31) / 32)
        return ratio_of(launch[l, "barriers"], warps)
    }
    if (name == "loads-a-thread")
        return a_thread(l, "load", "global")
    if (name == "lanes-a-shared-access")
        return ratio_of(sum_of(l, "lanes", "", "shared"), requests_of(l, "", "shared"))
    if (name == "bank-conflicts")
        return 100 * ratio_of(sum_of(l, "conflicts", "", "shared"), sum_of(l, "wavefronts", "", "shared"))
    return figure_of_loads(name, l, more)
}

# Operations of the stream are counted from 0. A clearing or a copy after the last kernel does not show.
function operations_of_call(    i, most) {
    for (i = 1; i <= launches; i++)
        most = larger(most, launch[i, "op"])
    return most + 1
}

function overlapping_launches(    i, n) {
    n = 0
    for (i = 1; i <= launches; i++) {
        if (launch[i, "overlaps"] == "")
            return ""
        n += launch[i, "overlaps"] == "true"
    }
    return n
}

function a_thread(l, kind, space) {
    return ratio_of(sum_of(l, "lanes", kind, space), launch[l, "blocks"] * launch[l, "threads"])
}

function requests_of(l, kind, space) {
    return sum_of(l, "requests", kind, space)
}

# The sum of a figure over the accesses of launch l, of all for "". found_line is that of the largest.
function sum_of(l, name, kind, space,    i, sum, most) {
    sum = most = 0
    for (i = 1; i <= accesses; i++)
        if ((l == "" || access[i, "op"] == launch[l, "op"]) && (kind == "" || access[i, "kind"] == kind) && \
            access[i, "space"] == space) {
            sum += access[i, name]
            if (above(access[i, name], most)) {
                most = access[i, name]
                found_line = access[i, "line"]
            }
        }
    return sum
}

# Of the loads that move at least half as much as the one that moves most: one of them reads the input.
function figure_of_loads(name, l, more,    i, most, best, value) {
    for (i = 1; i <= accesses; i++)
        if (is_load_of(i, l))
            most = larger(most, access[i, "lanes"] * access[i, "bytes"])
    best = ""
    for (i = 1; i <= accesses; i++) {
        if (!is_load_of(i, l) || access[i, "lanes"] * access[i, "bytes"] < most / 2)
            continue
        value = name == "bytes-a-load" ? access[i, "bytes"] : \
                 name == "sectors-a-load" ? ratio_of(access[i, "sectors"], access[i, "requests"]) : \
                 ratio_of(access[i, "lanes"] * access[i, "bytes"], access[i, "sectors"])
        if (best == "" || (more ? above(value, best) : below(value, best))) {
            best = value
            found_line = access[i, "line"]
        }
    }
    return best
}

function is_load_of(i, l) {
    return access[i, "op"] == launch[l, "op"] && access[i, "kind"] == "load" && access[i, "space"] == "global"
}
