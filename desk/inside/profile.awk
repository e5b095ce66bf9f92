# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Says what each counter of a kernel means. A reader sets figure[name] for one launch, by the names that Nsight Compute
# has for its counters, and calls explain(): ncu.awk from what it printed, counted.awk from what the emulator counted.
# What a reader does not know is left out.

# A counter's value; "" if there is none.
function of(counter,    text) {
    text = counter in figure ? figure[counter] : ""
    gsub(/,/, "", text)
    return text ~ /^[-+.0-9eE]+$/ ? text + 0 : ""
}

# The numbers of "(264, 1, 1)", without ones at the end: "264".
function size_of(text) {
    gsub(/[() ]/, "", text)
    sub(/,1,1$|,1$/, "", text)
    gsub(/,/, " x ", text)
    return text
}

# The page is 80 columns wide.
function fact(title, value, meaning) {
    print_wrapped(sprintf(meaning == "" ? "  %-18s %s" : "  %-18s %-16s ", title, value), meaning, 38)
}

# The text behind `first`, and on lines below it, behind an indent.
function print_wrapped(first, text, indent) {
    text = wrapped(text, spaces(indent), 80 - indent)
    print first substr(text, indent + 1)
}

function explain(    kernel) {
    kernel = figure["Kernel Name"]
    sub(/\(.*/, "", kernel)
    if (kernels++)
        print ""
    print_wrapped("", kernel ": " plural(size_of(figure["Grid Size"]), "block") " of " plural(size_of(figure["Block Size"]), "thread") ", " \
        (of("launch__registers_per_thread") == "" ? "" : of("launch__registers_per_thread") " registers a thread, ") \
        sprintf("%d bytes of shared memory a block", of("launch__shared_mem_per_block_static") + of("launch__shared_mem_per_block_dynamic")), 0)
    small = of("launch__waves_per_multiprocessor") != "" && of("launch__waves_per_multiprocessor") < 0.5
    explain_bandwidth()
    explain_memory()
    explain_occupancy()
    explain_sectors("load", "ld")
    explain_sectors("store", "st")
    explain_atomics()
    explain_shared()
    explain_local()
    explain_barriers()
    explain_waits()
}

function explain_bandwidth(    share, hit) {
    share = of("dram__throughput.avg.pct_of_peak_sustained_elapsed")
    if (of("gpu__time_duration.sum") != "")
        fact("time", sprintf("%.1f us", of("gpu__time_duration.sum") / 1e3), "")
    if ("predicted" in figure)
        fact("predicted", figure["predicted"] "; not measured", "")
    if (share != "")
        fact("DRAM bandwidth", sprintf("%.0f %% of peak", share), sprintf("%.1f MB moved; %s", of("dram__bytes.sum") / 1e6,
            share >= 85 ? "this is the roof: only fewer bytes can be faster" : \
            share >= 60 ? "near the roof: what is left is starting, ending and waiting" : \
            small ? "too few blocks to fill the GPU: what counts is how long each takes" : \
            "far from the roof: warps wait for something else, see the last line"))
    hit = of("lts__t_sector_hit_rate.pct")
    if (hit != "" && hit <= 100) # of a very short kernel the two counts do not belong together
        fact("L2 hit rate", sprintf("%.0f %%", hit), hit < 30 ? "low is right for an input that is read once" : \
            "read or counted in L2 before: scratch memory, atomics, or data read twice")
}

# Only a counted run knows this: it counts each byte of global memory once, however often it is read.
function explain_memory() {
    if (of("read_bytes") != "")
        fact("memory", bytes_in_words(of("read_bytes")) " read", bytes_in_words(of("written_bytes")) \
             " written, each byte counted once: the least that has to move")
}

function explain_barriers() {
    if (of("barriers_a_warp") > 0)
        fact("barriers", sprintf("%.3g a warp", of("barriers_a_warp")), "at each, a warp waits for the slowest warp of its block")
}

function explain_occupancy(    active, most) {
    active = of("sm__warps_active.avg.pct_of_peak_sustained_active")
    most = of("sm__maximum_warps_per_active_cycle_pct")
    if (active == "") {
        if (most != "")
            fact("occupancy", sprintf("%.0f %%", most), "of the warps that a multiprocessor can hold fit at once; " \
                (most < 40 ? "too few to hide waits: use more threads a block, or more blocks" : \
                small ? "enough, but there are too few blocks to fill the GPU" : "enough"))
        return
    }
    fact("occupancy", sprintf("%.0f %%", active), "of the warps that a multiprocessor can hold" \
        (most == "" ? "; " : sprintf(" (%.0f %% would fit at once); ", most)) \
        (active < 40 ? "too few to hide waits: use more threads, or more loads a thread" : "enough"))
}

function explain_sectors(what, op,    requests, sectors, each) {
    requests = of("l1tex__t_requests_pipe_lsu_mem_global_op_" op ".sum")
    sectors = of("l1tex__t_sectors_pipe_lsu_mem_global_op_" op ".sum")
    if (!requests)
        return
    each = sectors / requests
    fact("sectors a " what, sprintf("%.1f", each), sectors_in_words(each, what) sprintf(" (%s requests)", many(requests)))
}

function explain_atomics(    red, atom, each, sectors) {
    red = of("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum")
    atom = of("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum")
    if (red + atom == 0)
        return
    sectors = of("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum") + of("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum")
    fact("global atomics", many(red + atom), sprintf("warps' instructions, %.1f sectors each; %s", sectors / (red + atom),
        global_atomics_in_words(red + atom)))
}

function explain_shared(    wavefronts, lost, atomics, atomic_wavefronts) {
    atomics = of("smsp__inst_executed_op_shared_atom.sum") # those of dot_alu and dot_cas are among them
    atomic_wavefronts = of("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum")
    if (atomics > 0)
        fact("shared atomics", many(atomics), sprintf("warps' instructions%s%s", \
            atomic_wavefronts == "" ? "" : sprintf(", %.1f wavefronts each", atomic_wavefronts / atomics), \
            of("smsp__inst_executed_op_shared_atom_dot_cas.sum") > 0 ? "; some are compare-and-swap loops, which repeat" : ""))
    wavefronts = of("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum")
    lost = of("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum")
    if (wavefronts > 0)
        fact("bank conflicts", sprintf("%.0f %%", 100 * lost / wavefronts), sprintf("of %s wavefronts of shared memory; %s", many(wavefronts), \
            conflicts_in_words(lost / wavefronts)))
}

function explain_local(    n) {
    n = of("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum") + of("l1tex__t_requests_pipe_lsu_mem_local_op_st.sum")
    if (n > 0)
        fact("spills", many(n), "reads and writes of local memory: " spills_in_words())
}

# Why warps were not running: the reason with the largest share of their time.
function explain_waits(    counter, reason, share, total, most, second, key, second_key) {
    for (counter in figure)
        if (counter ~ /^smsp__average_warps_issue_stalled_.*_per_issue_active/) {
            reason = counter
            sub(/^smsp__average_warps_issue_stalled_/, "", reason)
            sub(/_per_issue_active.*/, "", reason)
            share = of(counter) + 0
            total += share
            if (reason == "selected")
                continue
            if (share > most + 0) {
                second = most
                second_key = key
                most = share
                key = reason
            } else if (share > second + 0) {
                second = share
                second_key = reason
            }
        }
    if (total > 0)
        fact("warps wait for", waits_for(key), sprintf("%.0f %% of their time: %s%s", 100 * most / total, advice(key), \
            second / total < 0.2 ? "" : sprintf("; then %s (%.0f %%)", waits_for(second_key), 100 * second / total)))
}

function waits_for(reason) {
    if (reason == "long_scoreboard") return "global memory"
    if (reason == "short_scoreboard") return "shared memory"
    if (reason == "mio_throttle") return "the shared queue"
    if (reason == "lg_throttle") return "the global queue"
    if (reason == "barrier") return "a barrier"
    if (reason == "membar") return "a fence"
    if (reason == "drain") return "stores"
    if (reason == "not_selected") return "their turn"
    if (reason == "math_pipe_throttle") return "the arithmetic"
    if (reason == "no_instruction") return "instructions"
    if (reason == "imc_miss") return "constants"
    if (reason == "branch_resolving") return "branches"
    if (reason == "wait") return "fixed latency"
    gsub(/_/, " ", reason)
    return reason
}

function advice(reason) {
    if (reason == "long_scoreboard") return "more loads in flight at once (unrolled, wider), or more warps"
    if (reason == "short_scoreboard") return "answers of shared memory; fewer or merged accesses, fewer conflicts"
    if (reason == "mio_throttle") return "too many shared-memory instructions at once; fewer, wider or merged ones"
    if (reason == "lg_throttle") return "too many global instructions at once; fewer and wider ones, or shared memory"
    if (reason == "barrier") return "__syncthreads, for the slowest warp of the block"
    if (reason == "membar") return "__threadfence, until all see what was written"
    if (reason == "drain") return "until what was written has left, at the end of a block"
    if (reason == "not_selected") return "other warps are ready too: instructions are the limit, not memory"
    if (reason == "math_pipe_throttle") return "the limit is arithmetic"
    if (reason == "no_instruction") return "code that is not in the instruction cache, or a very short kernel"
    if (reason == "imc_miss") return "kernel arguments on their way: a very short kernel"
    if (reason == "wait") return "the instruction before; usual where memory is not the limit"
    return "see Nsight Compute's guide under warp stall reasons"
}
