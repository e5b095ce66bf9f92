# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What each kernel of an object uses of static shared memory: readelf -W -S -s -r STEP.o | awk -v limit=BYTES -f this
# Prints FUNCTION BYTES SECTION ADDRESS ARRAY of those that use more than the limit; ARRAY is the largest one.

function hex(text,    i, n) {
    for (i = 1; i <= length(text); i++)
        n = 16 * n + index("123456789abcdef", substr(text, i, 1))
    return n
}
# The function at an offset of a section.
function function_at(section, offset,    i, f) {
    for (i = 1; i <= functions[section]; i++) {
        f = function_in[section, i]
        if (offset >= begin[f] && offset < begin[f] + bytes[f])
            return f
    }
}
# Adds to sum[kernel] what f and its callees use.
function add(kernel, f,    i) {
    if (seen[kernel, f]++)
        return
    for (i = 1; i <= arrays[f]; i++)
        if (!seen[kernel, array[f, i]]++) {
            sum[kernel] += bytes[array[f, i]]
            if (bytes[array[f, i]] > bytes[largest[kernel]])
                largest[kernel] = array[f, i]
        }
    for (i = 1; i <= callees[f]; i++)
        add(kernel, callee[f, i])
}

/^ *\[ *[0-9]+\] / { sub(/^ *\[ */, ""); sub(/\]/, ""); name_of[$1 + 0] = $2; next }
/^Relocation section/ { section = $3; gsub(/\047/, "", section); sub(/^\.rela?/, "", section); next }
$1 ~ /^[0-9]+:$/ && $4 ~ /^(FUNC|TLS)$/ && $7 != "UND" {
    kind[$8] = $4
    begin[$8] = hex($2)
    bytes[$8] = $3 + 0
    at[$8] = name_of[$7 + 0] " 0x" $2
    if ($4 == "FUNC")
        function_in[name_of[$7 + 0], ++functions[name_of[$7 + 0]]] = $8
    next
}
# "Offset Info Type Value Name + Addend"
section ~ /^\.text/ && $3 ~ /^R_/ { at_offset[++uses] = section " " hex($1) " " $3 " " $5 }

END {
    for (u = 1; u <= uses; u++) {
        split(at_offset[u], use, " ")
        f = function_at(use[1], use[2] + 0)
        if (f == "" || !(use[4] in kind))
            continue
        if (kind[use[4]] == "TLS")
            array[f, ++arrays[f]] = use[4]
        else if (use[3] ~ /PLT32|CALL26|JUMP26/ && use[4] != f) {
            callee[f, ++callees[f]] = use[4]
            caller[use[4]] = f
        }
    }
    for (f in kind)
        if (kind[f] == "FUNC")
            add(f, f)
    for (f in sum)
        if (sum[f] > limit && !(f in caller && sum[caller[f]] > limit))
            print f, sum[f], at[f], largest[f]
}
