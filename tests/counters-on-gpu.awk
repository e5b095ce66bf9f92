# The lines of tests/counters-on-gpu from what ncu printed (--csv --page raw): a row of names, a row of units, and a row
# for each launch. Variables: program, size. Of the sections that ncu adds to what was asked for, only what a launch takes is
# kept: the rest describes the GPU, and is the same in every row.

!/^"/ { next }
!names { names = fields(name); next }
!units { units = fields(unit); next }
fields(value) == names {
    for (i = 1; i <= names; i++)
        if (name[i] == "Kernel Name")
            kernel = value[i]
    for (i = 1; i <= names; i++)
        if (is_kept(name[i]))
            tell(name[i], value[i])
    launch++
}

# Split a line of quoted fields; returns how many.
function fields(out,    n, rest) {
    rest = substr($0, 2)
    n = 0
    while (match(rest, /"(,"|$)/)) {
        out[++n] = substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH)
    }
    return n
}

function is_kept(metric) {
    return metric ~ /^(Block|Grid) Size$/ || metric ~ /^(dram|gpc|gpu|l1tex|lts|sm|smsp)__.*(\.sum|\.pct|\.avg\.pct_of_peak_sustained_[a-z]+)$/ || \
           metric ~ /^launch__(registers_per_thread|shared_mem_per_block(_static|_dynamic)?|waves_per_multiprocessor)$/
}

function tell(metric, text) {
    gsub(/\t/, " ", text)
    if (metric ~ /__/)
        gsub(/^ +|,/, "", text)
    if (text != "")
        print program, size, launch + 0, kernel, metric, text
}
