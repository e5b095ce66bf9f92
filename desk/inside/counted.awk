# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads what the emulator counted (a counts file: emulator/counted), and what build/predict says of it, for
# profile.awk to explain; below that it prints what each line of the source does. -v source=FILE: the step. -v alone=1:
# only the lines, to go below what a GPU counted. -v by_kernel=1: of each kernel's launches only the largest, as a
# program may launch thousands. -v step=NAME and -v emulated=h200: to say whether the step's idea is
# in it. The counts may lack the traces, which only the model reads.

FNR == 1 { file++ }
file > 1 { read_prediction(); next }
$1 == "gpu" { gpu = $2 }
$1 == "call" { input_bytes = $4 }
$1 == "op" && $3 == "kernel" { add_launch() }
$1 == "memory" { at_launch("read_bytes", 32 * $3, "written_bytes", 32 * $4) }
$1 == "hot" { at_launch("hot_adds", $3) }
$1 == "sync" { at_launch("barriers", $3) }
$1 == "site" { add_access() }

END {
    for (i = 1; i <= accesses; i++)
        access[i, "source"] = line_of_source(access[i, "line"])
    if (!alone)
        print "counted without a GPU, for " a_gpu(gpu) "\n"
    if (by_kernel)
        sum_up(emulated)
    for (i = 1; i <= launches && !alone; i++) {
        if (by_kernel && !is_largest(i))
            continue
        figures_of(i)
        explain()
        if (by_kernel && per_kernel[group_of(i), "launches"] > 1)
            fact("launches", per_kernel[group_of(i), "launches"], "of this kernel: these figures are of the largest, the lines below are of all")
    }
    print_lines()
    if (!alone)
        print_prediction()
    print_idea()
}

function group_of(l) {
    return kernel_number(launch[l, "kernel"])
}

function is_largest(l) {
    return per_kernel[group_of(l), "largest"] == l
}

# Lines of a key and its value, and for each operation N: op N KEY VALUE.
function read_prediction() {
    if ($1 != "op")
        predicted[$1] = substr($0, length($1) + 2)
    else if ($2 in launch_at)
        launch[launch_at[$2], $3] = $4
}

function add_launch(    l, name) {
    l = ++launches
    launch_at[$2] = l
    launch[l, "op"] = $2
    launch[l, "line"] = $4
    launch[l, "grid"] = $5 "," $6 "," $7
    launch[l, "block"] = $8 "," $9 "," $10
    launch[l, "blocks"] = $5 * $6 * $7
    launch[l, "threads"] = $8 * $9 * $10
    launch[l, "static"] = $11
    launch[l, "dynamic"] = $12
    launch[l, "overlaps"] = $13 ? "true" : "false"
    name = $0
    for (l = 1; l <= 14; l++)
        sub(/^[^ ]+ /, "", name)
    launch[launches, "kernel"] = name
}

function at_launch(first, value, second, other,    l) {
    l = launch_at[$2]
    launch[l, first] = value
    if (second != "")
        launch[l, second] = other
}

function add_access(    a, names, n, i) {
    a = ++accesses
    n = split("op - line - kind space bytes requests lanes sectors lines wavefronts conflicts same most", names, " ")
    for (i = 1; i <= n; i++)
        access[a, names[i]] = $(i + 1)
    access[a, "kernel"] = launch[launch_at[$2], "kernel"]
}

# figure[]: launch l, by Nsight Compute's names.
function figures_of(l,    a, op) {
    split("", figure)
    figure["Kernel Name"] = launch_name(launch[l, "kernel"])
    figure["Grid Size"] = launch[l, "grid"]
    figure["Block Size"] = launch[l, "block"]
    figure["launch__shared_mem_per_block_static"] = launch[l, "static"]
    figure["launch__shared_mem_per_block_dynamic"] = launch[l, "dynamic"]
    figure["read_bytes"] = launch[l, "read_bytes"]
    figure["written_bytes"] = launch[l, "written_bytes"]
    figure["barriers_a_warp"] = ratio_of(launch[l, "barriers"], launch[l, "blocks"] * int((launch[l, "threads"] + 31) / 32))
    if (launch[l, "occupancy"] != "")
        figure["sm__maximum_warps_per_active_cycle_pct"] = 100 * launch[l, "occupancy"]
    figure["launch__registers_per_thread"] = launch[l, "registers"]
    figure["launch__waves_per_multiprocessor"] = launch[l, "waves"]
    if (launch[l, "seconds"] != "")
        figure["predicted"] = significant(1e6 * launch[l, "seconds"], 3) " us, limited by " limit_in_words(launch[l, "limit"])
    for (a = 1; a <= accesses; a++)
        if (access[a, "op"] == launch[l, "op"])
            add_figures(a)
}

function add_figures(a,    kind, memory) {
    kind = access[a, "kind"] == "load" ? "ld" : access[a, "kind"] == "store" ? "st" : "atom"
    if (access[a, "space"] == "shared") {
        figure["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"] += access[a, "wavefronts"]
        figure["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"] += access[a, "conflicts"]
        if (kind == "atom") {
            figure["smsp__inst_executed_op_shared_atom.sum"] += access[a, "requests"]
            figure["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"] += access[a, "wavefronts"]
        }
        return
    }
    memory = "pipe_lsu_mem_" access[a, "space"] "_op_" kind ".sum"
    figure["l1tex__t_requests_" memory] += access[a, "requests"]
    figure["l1tex__t_sectors_" memory] += access[a, "sectors"]
}

# ---- by line ------------------------------------------------------------------------------------

function line_of_source(number,    text, n) {
    if (!source_read) {
        source_read = 1
        while ((getline text < source) > 0)
            text_of[++n] = text
        close(source)
    }
    sub(/^[ \t]+/, "", text_of[number])
    return text_of[number]
}

function print_lines(    order, n, i, k) {
    sum_up(emulated)
    n = costliest(per_line, per_lines, 0, order)
    if (!n)
        return
    printf "\nBy line of %s, the costliest first%s\n", base_name(source), alone ? ", as the emulator counts it:" : ":"
    for (k = 1; k <= n && k <= 12; k++) {
        i = order[k]
        printf "  line %-4s %s\n", per_line[i, "line"] + 0 ? per_line[i, "line"] : "?", clip(per_line[i, "source"], 68)
        print_wrapped(spaces(12), what_it_is(i) ": " many(per_line[i, "requests"]) " requests" what_each_takes(i), 12)
    }
}

function what_it_is(i) {
    return per_line[i, "space"] " " per_line[i, "kind"] (per_line[i, "kind"] == "atomic" ? "s" : "s, " plural(per_line[i, "bytes"], "byte"))
}

function what_each_takes(i) {
    if (per_line[i, "space"] == "local")
        return ""
    return " of " (per_line[i, "space"] == "shared" ? each_of(i, "wavefronts") " wavefronts" : each_of(i, "sectors") " sectors") \
           (per_line[i, "kind"] == "atomic" ? ", " meeting_in_words(i) : "")
}

function print_prediction() {
    if (predicted["seconds"] == "")
        return
    print ""
    print_wrapped("", "predicted for " a_gpu(predicted["gpu"]) ": " \
          predicted_in_words(1e6 * predicted["seconds"], 1e6 * predicted["low"], 1e6 * predicted["high"]) \
          ", limited by " limit_in_words(predicted["limit"]) "; not measured", 0)
    if (predicted["with"] == "source")
        print "Without nvcc and nvdisasm the machine code is unknown: the interval is wider."
}

function print_idea(    idea) {
    idea = idea_of(step, emulated, input_bytes)
    if (idea == "")
        return
    print ""
    print_wrapped("", "The step's idea is " (idea == "there" ? "there, as far as its counters tell." : "missing: " short_name(step) " " idea "."), 0)
}
