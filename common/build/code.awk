# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The code file of a step (common/build/code), from names, the compiler's log and nvdisasm's output: see sass.awk,
# which is read first. -v source=FILE: the step; -v arch=sm_90.

BEGIN { print "histolab-code 1 " arch }

/^\.text\./ {
    finish()
    name = substr($0, 7, length($0) - 7)
    next
}
name == "" { next }
/^\/\/-----/ { finish(); next }
/\/\/## File/ { place(); next }
/^\.L|^\$/ { label[name_of_label($0)] = n; next }
/^ *\/\*[0-9a-f]+\*\// { instruction($0); next }

END { finish() }

# ---- reading -----------------------------------------------------------------------------------

function name_of_label(text) {
    sub(/:.*/, "", text)
    return text
}

# One instruction was inlined at each place of a chain, innermost first. Its line is that of the first place in the step's
# own file; else that of the first outside of the system's headers; else there is none.
function place(    path, line) {
    if (!chained)
        line_now = near = 0
    chained = $0 ~ / inlined at "/
    path = $0
    sub(/^[^"]*"/, "", path)
    line = path
    sub(/".*/, "", path)
    sub(/^[^"]*", line /, "", line)
    if (line_now == 0 || !near) {
        if (base(path) == base(source)) {
            near = 1
            line_now = line + 0
        } else if (line_now == 0 && path !~ /\/include\//)
            line_now = line + 0
    }
}

function base(path) {
    sub(/.*\//, "", path)
    return path
}

function instruction(text,    operation, rest) {
    chained = 0
    gsub(/^ *\/\*[0-9a-f]+\*\/ *|[ ;]*$/, "", text)
    never[n] = text ~ /^@!U?PT /
    sometimes[n] = sub(/^@!?U?P[0-9T]+ */, "", text)
    operation = rest = text
    sub(/ .*/, "", operation)
    sub(/^[^ ]* */, "", rest)
    op[n] = operation
    operands[n] = rest
    lines[n] = line_now + 0
    registers_of(n)
    n++
}

# ---- registers: reads[p] and writes[p] of the instruction at p, as " 4 5 " --------------------------------

function registers_of(p,    o, count, i, to) {
    reads[p] = writes[p] = " "
    count = split(operands[p], o, / *, */)
    to = op[p] ~ /^(ST[GSL]?(\.|$)|RED(G?(\.|$))|BRA|BRX|BAR|RET|CALL|WARPSYNC|NANOSLEEP|R2P|PLOP3|LDGSTS|UBLK|UTMA|SUST)|SETP/ ? 0 : 1
    while (to && to < count && o[to] ~ /^!?(U?P[0-9T]|PR)$/)
        to++
    for (i = 1; i <= count; i++)
        if (i != to)
            reads[p] = reads[p] list(o[i], i == count)
        else if (o[i] ~ /^R[0-9]/)
            writes[p] = writes[p] span(substr(o[i], 2) + 0, result_width(op[p]))
        else
            reads[p] = reads[p] list(o[i], 0)
}

# The registers that an operand names; `last` says whether it is the instruction's last one.
function list(operand, last,    found, wide) {
    gsub(/UR[0-9]+/, "", operand) # uniform registers are others
    while (match(operand, /R[0-9]+(\.64)?/)) {
        wide = substr(operand, RSTART, RLENGTH) ~ /64/ || is_double(op_now()) || last && op_now() ~ /WIDE/ ? 2 : 1
        if (is_memory(op_now()) && operand !~ /\[/)
            wide = result_width(op_now())
        found = found span(substr(operand, RSTART + 1) + 0, wide)
        operand = substr(operand, RSTART + RLENGTH)
    }
    return found
}

function op_now() { return op[n] }

function span(first, count,    i, text) {
    for (i = 0; i < count; i++)
        text = text (first + i) " "
    return text
}

function is_memory(operation) { return space_of(operation) != "" || operation ~ /^LDC/ }

function is_double(operation) { return operation ~ /^D(ADD|MUL|FMA|SETP|MNMX)/ }

# How many registers an instruction writes.
function result_width(operation) {
    if (is_memory(operation))
        return width(operation) > 4 ? width(operation) / 4 : 1
    return operation ~ /WIDE|^F2I.*64|^[FI]2F\.F64/ || is_double(operation) || operation ~ /^CS2R/ && operation !~ /32/ ? 2 : 1
}

function space_of(operation) {
    if (operation ~ /^(LDG|STG|ATOMG|ATOM|RED|REDG|LD|ST)(\.|$)/ || operation ~ /^LDGSTS/)
        return "global" # a generic access may be one to shared memory: the compiler could not tell
    if (operation ~ /^(LDS|STS|ATOMS|LDSM|STSM)(\.|$)/)
        return "shared"
    return operation ~ /^(LDL|STL)(\.|$)/ ? "local" : ""
}

# ---- where the code goes on --------------------------------------------------------------------------

# The positions that can follow p, as " 4 9 ", the likeliest first: a loop's next turn, then the layout's order.
function following(p,    target, next_one) {
    next_one = p + 1 < n ? (p + 1) " " : ""
    if (op[p] ~ /^(EXIT|RET)/ && !sometimes[p])
        return " "
    target = ""
    if (op[p] ~ /^BSYNC/)
        target = meets[operands[p], p]
    else if (op[p] ~ /^(BRA|CALL)/)
        target = target_of(p)
    else if (op[p] ~ /^BRX/)
        return " " next_one
    if (target == "" || target >= n)
        return " " next_one
    if (op[p] ~ /^BSYNC/ || op[p] == "BRA" && !sometimes[p] && operands[p] ~ /^`/)
        return " " target " "
    return target <= p ? " " target " " next_one : " " next_one target " "
}

function target_of(p,    text) {
    text = operands[p]
    if (!match(text, /`\([^)]*\)/))
        return ""
    text = substr(text, RSTART + 2, RLENGTH - 3)
    return text in label ? label[text] : ""
}

# A BSYNC goes on where the BSSY of its barrier says.
function match_barriers(    p, at, barrier) {
    for (p = 0; p < n; p++) {
        barrier = operands[p]
        sub(/,.*/, "", barrier)
        if (op[p] ~ /^BSSY/)
            at[barrier] = target_of(p)
        else if (op[p] ~ /^BSYNC/)
            meets[operands[p], p] = barrier in at ? at[barrier] : ""
    }
}

# The position of the first instruction on the likeliest way from p that reads what p loads; -1 if none does before the
# registers are written again.
function use_of(p,    depth, way, alive, q, left, next_ones, count, i, r, registers_left) {
    stamp++
    depth = 0
    q = p
    left = writes[p]
    do {
        if (depth > 0) {
            q = way[depth]
            left = alive[depth--]
            if (seen[q] == stamp)
                continue
            seen[q] = stamp
            registers_left = " "
            count = split(left, r, " ")
            for (i = 1; i <= count; i++) {
                if (index(reads[q], " " r[i] " "))
                    return q
                if (sometimes[q] || !index(writes[q], " " r[i] " "))
                    registers_left = registers_left r[i] " "
            }
            if (registers_left == " ")
                continue
            left = registers_left
        }
        count = split(following(q), next_ones, " ")
        for (i = count; i >= 1; i--) {
            way[++depth] = next_ones[i] + 0
            alive[depth] = left
        }
    } while (depth > 0)
    return -1
}

# A branch back is a loop's if every way to it leads through its target: cold code behind the kernel's end also branches back.
function is_loop(first, last,    depth, way, q, count, next_ones, i) {
    stamp++
    way[depth = 1] = 0
    while (depth > 0) {
        q = way[depth--]
        if (q == first || seen[q] == stamp)
            continue
        if (q == last)
            return 0
        seen[q] = stamp
        count = split(following(q), next_ones, " ")
        for (i = 1; i <= count; i++)
            way[++depth] = next_ones[i] + 0
    }
    return 1
}

# ---- printing ----------------------------------------------------------------------------------

function finish(    p, target, length_of) {
    if (name in registers) {
        match_barriers()
        for (p = 0; p < n; p++)
            if (op[p] != "NOP" && !(op[p] == "BRA" && target_of(p) "" == p ""))
                length_of = p + 1
        print "kernel", registers[name], shared[name] + 0, stack[name] + 0, length_of + 0, source_name(name)
        for (p = 0; p < length_of; p++) {
            if (space_of(op[p]) != "" && !never[p])
                print_access(p)
            target = op[p] ~ /^BRA/ ? target_of(p) : ""
            if (target != "" && target < p && is_loop(target, p))
                print "loop", target, p
        }
        print "p", units(length_of)
    }
    name = ""
    n = line_now = chained = 0
}

# The units of instructions: CUDA C++ Programming Guide, arithmetic instructions, and the names in the CUDA Binary Utilities.
function units(length_of,    p, text) {
    for (p = 0; p < length_of; p++)
        text = text unit(op[p])
    return text
}

function unit(operation) {
    if (is_memory(operation))
        return "m"
    if (operation ~ /^(BRA|BRX|BSSY|BSYNC|BREAK|CALL|RET|EXIT|WARPSYNC|BMOV)/)
        return "b"
    if (operation ~ /^(SHFL|VOTE|REDUX|MATCH)/)
        return "w"
    if (operation ~ /^(POPC|MUFU|FLO|BREV|[FI]2[FI]|FRND)/)
        return "q"
    if (operation ~ /^(U[A-Z]|R2UR|S2UR)/)
        return "u"
    if (operation ~ /^D(ADD|MUL|FMA|SETP|MNMX)/)
        return "d"
    if (operation ~ /^F(ADD|MUL|FMA)/)
        return "f"
    if (operation ~ /^(IMAD|IMUL|IDP)/)
        return "i"
    return operation ~ /^(I|V|LOP|PLOP|LEA|SHF|SEL|PRMT|F|SGXT|BMSK|MOV|P2R|R2P)/ ? "a" : "."
}

function print_access(p,    kind) {
    if (op[p] ~ /^LDGSTS/) { # its load is waited for where the copies are
        print "m", p, lines[p], "load global", width(op[p]), wait_of(p)
        print "m", p, lines[p], "store shared", width(op[p]), -1
        return
    }
    kind = op[p] ~ /^LD/ ? "load" : op[p] ~ /^ST/ ? "store" : op[p] ~ /^ATOMS\.POPC\.INC/ ? "increment" : writes[p] == " " ? "reduce" : "atomic"
    print "m", p, lines[p], kind, space_of(op[p]), width(op[p]), (writes[p] == " " ? -1 : use_of(p))
}

function wait_of(p) {
    for (p++; p < n; p++)
        if (op[p] ~ /^DEPBAR|^SYNCS/)
            return p
    return -1
}
