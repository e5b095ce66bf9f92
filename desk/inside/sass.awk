# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Prints the machine code of a step's kernels: first a table that counts what this lab is about, then the code below
# the lines of source that it was made from, with the interesting instructions marked.
# Reads three files, as common/build/sass.awk says, which is read before this.
# -v source=FILE: the step.

/^\.text\./ { begin(substr($0, 7, length($0) - 7)); next }
name == "" { next }
/\/\/## File/ { split($0, part, "\""); sub(/.*line /, ""); place(part[2], $1 + 0); next }
/^\.L/ { keep("  " $0); next }
/^ *\/\*[0-9a-f]+\*\// { instruction($0); next }

END {
    sort_kernels()
    print_table()
    for (k = 1; k <= kernels; k++)
        print_code(order[k])
}

# ---- reading -----------------------------------------------------------------------------------

function begin(mangled) {
    name = mangled
    all[++kernels] = name
    first[name] = 1e9
    held = held_bytes = 0
    last_place = at = ""
}

function base(path,    parts, n) {
    n = split(path, parts, "/")
    return parts[n]
}

function place(path, line) {
    where = base(path)
    if (where == base(source)) {
        if (line < first[name])
            first[name] = line
        at = "S" line
    } else
        at = "F" where ":" line
}

function keep(line) { code[name, ++lines[name]] = line }

function instruction(text,    op, mark) {
    gsub(/^ *|[ ;]*$/, "", text)
    sub(/^\/\*/, "", text)
    address = substr(text, 1, index(text, "*") - 1)
    sub(/^[^ ]* */, "", text)
    op = text
    sub(/^@!?U?P[0-9T]+ */, "", op)
    operands = op
    sub(/ .*/, "", op)
    sub(/^[^ ]* */, "", operands)
    if (op == "BRA" && text !~ /^@/ && operands ~ last_label() || op == "NOP") # only fills up the last line
        return
    if (at != "" && at != last_place) {
        keep(at)
        last_place = at
    }
    count[name, "instructions"]++
    loads_in_flight(op, operands)
    mark = sort_out(op)
    keep(mark == "" ? "    " address "  " text : sprintf("    %s  %-52s  <- %s", address, text, mark))
    while (match(text, /\.L_x_[0-9]+/)) {
        target[name, substr(text, RSTART, RLENGTH)] = 1
        text = substr(text, RSTART + RLENGTH)
    }
}

# The compiler ends each function with a branch to itself, after the last EXIT.
function last_label(    line) {
    line = code[name, lines[name]]
    if (line !~ /^  \.L/)
        return "never"
    gsub(/[ :]/, "", line)
    return "\\(" line "\\)"
}

function bytes(op) { return width(op) (width(op) == 1 ? " byte" : " bytes") " a thread" }

# How many loads from global memory a thread has in flight: those whose registers no instruction has used since.
# They are counted along the code as it is printed; a loop repeats it.
function loads_in_flight(op, operands,    rest, r, i, n, list) {
    n = 0
    rest = operands
    gsub(/UR[0-9]+/, "", rest) # uniform registers are others
    while (match(rest, /R[0-9]+/)) {
        list[++n] = substr(rest, RSTART + 1, RLENGTH - 1) + 0
        rest = substr(rest, RSTART + RLENGTH)
    }
    for (i = 1; i <= n; i++)
        if ((name, list[i]) in waited) {
            r = waited[name, list[i]]
            if (r in pending) {
                held -= 1
                held_bytes -= pending[r]
                delete pending[r]
            }
            delete waited[name, list[i]]
        }
    if (op !~ /^LDG/ || n == 0)
        return
    r = name " " ++serial
    pending[r] = width(op)
    for (i = 0; 4 * i < width(op); i++)
        waited[name, list[1] + i] = r
    held++
    held_bytes += width(op)
    if (held > count[name, "in flight"])
        count[name, "in flight"] = held
    if (held_bytes > count[name, "bytes in flight"])
        count[name, "bytes in flight"] = held_bytes
}

# Counts an instruction, and returns what to say of it.
function sort_out(op) {
    if (op ~ /^LDGSTS|^UBLKCP/) { count[name, "async"]++; return "copy from global to shared memory, past the registers" }
    if (op ~ /^LDG/) { count[name, "LDG"]++; count[name, "LDG" width(op)]++; return "global load, " bytes(op) }
    if (op ~ /^STG/) { count[name, "STG"]++; return "global store, " bytes(op) }
    if (op ~ /^ATOMS\.POPC\.INC/) { count[name, "ATOMS"]++; count[name, "POPC"]++; return "shared atomic + 1: lanes with one address are merged" }
    if (op ~ /^ATOMS\.CAS/) { count[name, "ATOMS"]++; count[name, "CAS"]++; return "shared compare-and-swap: repeated until it holds" }
    if (op ~ /^ATOMS/) { count[name, "ATOMS"]++; return "shared atomic: lanes with one address wait for each other" }
    if (op ~ /^ATOMG?(\.|$)/) { count[name, "ATOMG"]++; return "global atomic with a result: the thread waits for it" }
    if (op ~ /^RED(G|UX)?(\.|$)/) {
        if (op ~ /^REDUX/) { count[name, "warp"]++; return "sum over the warp" }
        count[name, "RED"]++
        return "global atomic without a result: no thread waits for it"
    }
    if (op ~ /^LDS/) { count[name, "LDS"]++; return "shared load, " bytes(op) }
    if (op ~ /^STS/) { count[name, "STS"]++; return "shared store, " bytes(op) }
    if (op ~ /^(LDL|STL)/) { count[name, "local"]++; return "local memory: a spilled register, or an array with a computed index" }
    if (op ~ /^BAR/) { count[name, "BAR"]++; return "barrier: waits for the whole block" }
    if (op ~ /^(MEMBAR|FENCE)/) { count[name, "MEMBAR"]++; return "fence" }
    if (op ~ /^(SHFL|MATCH|VOTE)/) { count[name, "warp"]++; return "exchange within the warp" }
    if (op ~ /^(ACQBULK|PREEXIT)/) { count[name, "overlap"]++; return "programmatic dependent launch" }
    if (op ~ /^(BRA|BRX|CALL)/) count[name, "BRA"]++
    return ""
}

# ---- printing ----------------------------------------------------------------------------------

# In the order of the source.
function sort_kernels(    i, j, swap) {
    for (i = 1; i <= kernels; i++)
        order[i] = all[i]
    for (i = 2; i <= kernels; i++)
        for (j = i; j > 1 && first[order[j]] < first[order[j - 1]]; j--) {
            swap = order[j]
            order[j] = order[j - 1]
            order[j - 1] = swap
        }
}

function short_name(mangled,    text) {
    text = mangled in written ? written[mangled] : mangled
    sub(/\(.*/, "", text)
    sub(/^void /, "", text)
    sub(/.*::/, "", text)
    return text
}

# A row of the table. It is left out if no kernel has any.
function row(title, key, explain,    k, total, line) {
    for (k = 1; k <= kernels; k++) {
        total += count[order[k], key]
        line = line sprintf(" %*d", columns[k], count[order[k], key])
    }
    if (total)
        printf "%-34s%s%s\n", title, line, (explain == "" ? "" : "   " explain)
}

function print_table(    k, head) {
    for (k = 1; k <= kernels; k++) {
        count[order[k], "registers"] = registers[order[k]]
        count[order[k], "shared"] = shared[order[k]]
        count[order[k], "spilt"] = spilt[order[k]]
        columns[k] = length(short_name(order[k]))
        columns[k] = columns[k] < 6 ? 6 : columns[k]
        head = head sprintf(" %*s", columns[k], short_name(order[k]))
    }
    printf "%-34s%s\n", "", head
    row("instructions", "instructions", "")
    row("registers a thread", "registers", "")
    row("shared memory, bytes a block", "shared", "")
    row("spilled registers, bytes", "spilt", "slow: local memory is global memory")
    row("global loads          LDG", "LDG", "from the input, and from what other kernels left")
    row("    of 16 bytes       LDG.128", "LDG16", "the widest: fewest instructions for the bytes")
    row("    of 8 bytes        LDG.64", "LDG8", "")
    row("    of 4 bytes", "LDG4", "a warp reads 128 bytes with one")
    row("    of 1 or 2 bytes", "LDG1", "")
    row("loads in flight, a thread", "in flight", "before the thread waits for the first; more of them hide more latency")
    row("    bytes of them", "bytes in flight", "times the GPU's threads, this must cover bandwidth x latency")
    row("async copies          LDGSTS", "async", "")
    row("global stores         STG", "STG", "")
    row("global atomics        RED", "RED", "no result: fire and forget")
    row("global atomics        ATOMG", "ATOMG", "with a result: waited for")
    row("shared atomics        ATOMS", "ATOMS", "")
    row("    that merge lanes  .POPC.INC", "POPC", "atomicAdd of a constant 1 whose result is unused")
    row("    in a loop         .CAS", "CAS", "no such atomic in hardware: compare-and-swap")
    row("shared loads          LDS", "LDS", "")
    row("shared stores         STS", "STS", "")
    row("local memory          LDL, STL", "local", "spills, or arrays with computed indices")
    row("within the warp       SHFL, REDUX", "warp", "")
    row("barriers              BAR", "BAR", "")
    row("fences                MEMBAR", "MEMBAR", "")
    row("dependent launch      ACQBULK", "overlap", "")
    row("branches              BRA", "BRA", "")
}

# The lines of the step, to be printed above the code made from them.
function read_source(    line, n) {
    while ((getline line < source) > 0)
        text_of[++n] = line
    close(source)
    have_source = 1
}

function print_code(name,    i, line) {
    if (!have_source)
        read_source()
    printf "\n---- %s\n", name in written ? written[name] : name
    for (i = 1; i <= lines[name]; i++) {
        line = code[name, i]
        if (line ~ /^  \.L/ && !((name, substr(line, 3, length(line) - 3)) in target))
            continue
        if (line ~ /^S/)
            printf "%s:%d  %s\n", base(source), substr(line, 2), text_of[substr(line, 2) + 0]
        else if (line ~ /^F/)
            printf "%s\n", substr(line, 2)
        else
            print line
    }
}
