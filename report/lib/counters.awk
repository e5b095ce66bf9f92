# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What the emulator counted of one call of a step, in words; a GPU's own counters are said in the same words
# (desk/inside/profile.awk). launch[1..launches, name] and access[1..accesses, name] have the names of the record's
# fields (report/README.md). desk/inside/counted.awk fills them from a counts file. A record's are for lib/counters.h.
#
# sum_up() puts together what a student thinks of as one. per_kernel[1..per_kernels, name] is a kernel with all of its
# launches: kernel, launches, largest (the launch with the most blocks), read_bytes, written_bytes, hot_adds, cost.
# per_line[1..per_lines, name] is what one line of source does in it: group (the kernel's number), line, source, kind,
# space, bytes, requests, lanes, sectors, wavefronts, conflicts, same, most, cost.
# Needs columns.awk, figures.awk, sort.awk and printable.awk.

# gpu: the name of its file.
function sum_up(gpu,    i, g) {
    split("", at_once)
    split("", per_kernel)
    split("", per_line)
    split("", kernel_at)
    split("", line_at)
    per_kernels = per_lines = 0
    for (i = 1; i <= launches; i++) {
        at_once[launch[i, "op"]] = smaller(launch[i, "blocks"], gpu_fact(gpu, "multiprocessors"))
        g = kernel_number(launch[i, "kernel"])
        per_kernel[g, "launches"]++
        per_kernel[g, "read_bytes"] += launch[i, "read_bytes"]
        per_kernel[g, "written_bytes"] += launch[i, "written_bytes"]
        per_kernel[g, "hot_adds"] = larger(per_kernel[g, "hot_adds"], launch[i, "hot_adds"])
        if (!per_kernel[g, "largest"] || above(launch[i, "blocks"], launch[per_kernel[g, "largest"], "blocks"]))
            per_kernel[g, "largest"] = i
    }
    for (i = 1; i <= accesses; i++)
        if (launch_name(access[i, "kernel"]) in kernel_at)
            add_to_line(i, kernel_at[launch_name(access[i, "kernel"])])
}

function kernel_number(kernel,    name) {
    name = launch_name(kernel)
    if (!(name in kernel_at)) {
        kernel_at[name] = ++per_kernels
        per_kernel[per_kernels, "kernel"] = name
    }
    return kernel_at[name]
}

# A kernel's name as the student wrote it: without parameters, and without what the compiler adds.
function launch_name(kernel) {
    sub(/^void /, "", kernel)
    gsub(/\(anonymous namespace\)::/, "", kernel)
    sub(/\(.*/, "", kernel)
    return kernel
}

function add_to_line(a, g,    key, i, names, n, k, cost) {
    key = g SUBSEP access[a, "line"] SUBSEP access[a, "kind"] SUBSEP access[a, "space"] SUBSEP access[a, "bytes"]
    if (!(key in line_at)) {
        i = line_at[key] = ++per_lines
        per_line[i, "group"] = g
        n = split("line source kind space bytes", names, " ")
        for (k = 1; k <= n; k++)
            per_line[i, names[k]] = access[a, names[k]]
    }
    i = line_at[key]
    n = split("requests lanes sectors wavefronts conflicts same", names, " ")
    for (k = 1; k <= n; k++)
        per_line[i, names[k]] += access[a, names[k]]
    per_line[i, "most"] = larger(per_line[i, "most"], access[a, "most"])
    cost = cost_of(a) / larger(1, at_once[access[a, "op"]])
    per_line[i, "cost"] += cost
    per_kernel[g, "cost"] += cost
}

# Roughly how many cycles of one multiprocessor an access takes. Divided by the multiprocessors that work at once, it
# decides what is shown first, and nothing else; the time is for the model to predict (common/model).
function cost_of(a) {
    if (access[a, "space"] == "shared")
        return access[a, "wavefronts"] + (access[a, "kind"] == "atomic" ? access[a, "same"] / 4 : 0)
    if (access[a, "kind"] == "atomic")
        return 2 * access[a, "lanes"]
    if (access[a, "space"] == "local")
        return access[a, "lanes"] * access[a, "bytes"] / 32
    return 1.5 * access[a, "sectors"]
}

# order[1..n]: what[1..n] (per_line or per_kernel) of those that cost most first. Of per_lines only those of a kernel, 0 for all.
function costliest(what, n, of_group, order,    i, list, key, count) {
    for (i = 1; i <= n; i++)
        if (!of_group || what[i, "group"] == of_group) {
            list[++count] = i
            key[i] = -what[i, "cost"]
        }
    sort_by(list, count, key, 1)
    for (i = 1; i <= count; i++)
        order[i] = list[i]
    return count + 0
}

# ---- words --------------------------------------------------------------------------------------

# 8448, "510.0 thousand", "16.32 million".
function many(n) {
    return n >= 1e6 ? sprintf("%.2f million", n / 1e6) : n >= 1e4 ? sprintf("%.1f thousand", n / 1e3) : sprintf("%d", n)
}

function plural(n, what) {
    return n " " what (n == 1 ? "" : "s")
}

# "65.3 MB"
function bytes_in_words(bytes) {
    return bytes >= 1e6 ? sprintf("%.1f MB", bytes / 1e6) : bytes >= 1e4 ? sprintf("%.1f kB", bytes / 1e3) : plural(bytes + 0, "byte")
}

# A fact of common/gpus/NAME.gpu; "" where there is none.
function gpu_fact(name, key,    path, line, part) {
    if (name !~ /^[A-Za-z0-9_-]+$/)
        return ""
    if (!(name in gpu_read)) {
        gpu_read[name] = 1
        path = "common/gpus/" name ".gpu"
        while ((getline line < path) > 0)
            if (split(line, part, " ") >= 2 && part[1] !~ /^#/ && !((name, part[1]) in gpu_facts))
                gpu_facts[name, part[1]] = part[2]
        close(path)
    }
    return ((name, key) in gpu_facts) ? gpu_facts[name, key] : ""
}

# "an H200", from h200; a counts file has NVIDIA_H200.
function a_gpu(name) {
    name = printable(name)
    if (name !~ /[A-Z]/)
        name = toupper(name)
    gsub(/_/, " ", name)
    return (name ~ /^[AEFHILMNORSX]/ ? "an " : "a ") name
}

function each_of(i, name) {
    return sprintf("%.1f", ratio_of(per_line[i, name], per_line[i, "requests"]))
}

# How many lanes of a request meet on one address, on average.
function meeting_in_words(i) {
    return per_line[i, "most"] + 0 <= 1 ? "one lane per address" : \
           each_of(i, "same") " lanes per address"
}

# What a mean number of sectors a request tells where nobody knows how wide the accesses are. `what`: load, store.
function sectors_in_words(each, what) {
    return each > 20 ? "uncoalesced: each lane of a warp touches a sector (32 bytes) of its own; neighbouring lanes should touch neighbouring addresses" : \
           each > 17 ? "partly uncoalesced" : \
           each > 14 ? "ideal for 16 bytes a thread; for 4 bytes a thread, four times too many" : \
           each > 9 ? "between: strided, or a mix of widths" : \
           each > 7 ? "ideal for 8 bytes a thread; for 4 bytes a thread, twice too many" : \
           each > 4.5 ? "a little more than 4: rows that start between sectors, or a mix" : \
           each > 3.5 ? "ideal for 4 bytes a thread: 32 lanes x 4 bytes = 4 sectors" : \
           each > 0.9 && each < 1.1 ? "ideal for 1 byte a thread; else few lanes, or all at one address" : \
           "few lanes take part, or narrow " what "s"
}

function global_atomics_in_words(requests) {
    return requests > 1e5 ? "this many are slow: count in shared memory first" : "few enough"
}

# `share`: of the wavefronts of shared memory, those that conflicts added.
function conflicts_in_words(share) {
    return share < 0.1 ? "lanes seldom meet" : \
           share < 0.5 ? "lanes of a warp meet now and then in one of the 32 banks" : \
           "lanes mostly wait for each other: copies of the counters, or fewer adds, help"
}

function spills_in_words() {
    return "registers that did not fit, or arrays with computed indices"
}

# "34.1 us a call (90 %: 29 to 40)", from microseconds.
function predicted_in_words(us, low, high,    unit, size) {
    unit = us < 1e3 ? "us" : us < 1e6 ? "ms" : "s"
    size = unit == "us" ? 1 : unit == "ms" ? 1e3 : 1e6
    return significant(us / size, 3) " " unit " a call" \
           (low == "" ? "" : " (90 %: " significant(low / size, 2) " to " significant(high / size, 2) ")")
}

# The unit of predicted_limit.
function limit_in_words(unit) {
    return unit == "dram" ? "DRAM bandwidth" : unit == "l2" ? "L2 bandwidth" : unit == "issue" ? "issuing instructions" : \
           unit == "shared" ? "L1 and shared memory" : unit == "shared-atomics" ? "shared atomics" : \
           unit == "global-atomics" ? "global atomics" : unit == "one-address" ? "atomics on one address" : unit
}
