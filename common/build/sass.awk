# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What the readers of a step's machine code share (code.awk here, desk/inside/sass.awk). They read three files:
# names (mangled TAB demangled), the compiler's log (registers, shared memory, spills), nvdisasm's output.
# Sets, by mangled name, written, registers, shared, stack (a thread's bytes of local memory) and spilt; and `file`.

FNR == 1 { file++ }

file == 1 {
    tab = index($0, "\t")
    written[substr($0, 1, tab - 1)] = substr($0, tab + 1)
    next
}

# ptxas -v: a line that names a function, then its figures.
file == 2 && /Compiling entry function/ { split($0, part, "'"); of = part[2] }
file == 2 && /Function properties for/ { of = $NF }
file == 2 && /spill stores/ {
    stack[of] = number_before("bytes stack frame")
    spilt[of] = number_before("bytes spill stores") + number_before("bytes spill loads")
}
file == 2 && /Used .* registers/ {
    registers[of] = number_before("registers")
    shared[of] = number_before("bytes smem")
}
file == 2 { next }

# The number before some words in this line; 0 if they are not in it.
function number_before(words,    text) {
    if (!match($0, "[0-9]+ " words))
        return 0
    text = substr($0, RSTART, RLENGTH)
    return text + 0
}

# The bytes that one thread accesses with a memory instruction.
function width(op) { return op ~ /\.128/ ? 16 : op ~ /\.F?64/ ? 8 : op ~ /\.[US]?16/ ? 2 : op ~ /\.[US]?8/ ? 1 : 4 }

# A kernel's name as the source has it, with namespaces and template arguments, without parameters.
function source_name(mangled,    text, i, depth) {
    text = mangled in written ? written[mangled] : mangled
    if (text ~ /\)$/)
        for (i = length(text); i > 1; i--) {
            depth += (substr(text, i, 1) == ")") - (substr(text, i, 1) == "(")
            if (depth == 0) {
                text = substr(text, 1, i - 1)
                break
            }
        }
    sub(/^void /, "", text)
    return text
}
