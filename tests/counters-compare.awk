# What tests/counters-compare prints. Reads the known differences; the lines `op` and `site` of counts files, after the
# program's name; what ncu counted. Variables: all; file, 1 to 3, which of these is read.

BEGIN {
    split("requests_load requests_store requests_atomic sectors_load sectors_store sectors_atomic" \
          " wavefronts wavefronts_load wavefronts_store wavefronts_atomic conflicts wavefronts_l1 conflicts_l1", counters, " ")
    counter_count = 13
    kind_of["ld"] = "load"; kind_of["st"] = "store"; kind_of["red"] = kind_of["atom"] = "atomic"
}

/^#/ || NF == 0 { next }

file == 1 {
    reason = $0
    sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "", reason)
    known_program[++known] = $1; known_launch[known] = $2; known_counter[known] = $3; known_reason[known] = reason
    next
}

file == 2 && $2 == "op" && $4 == "kernel" {
    launch = kernels[$1] + 0
    kernels[$1]++
    launch_of[$1, $3] = launch
    emulated_grid[$1, launch] = "(" $6 ", " $7 ", " $8 ")"
    emulated[$1]
    next
}

# program site N ID LINE LOOP KIND SPACE BYTES REQUESTS LANES SECTORS LINES WAVEFRONTS CONFLICTS SAME MOST
file == 2 && $2 == "site" {
    at = $1 SUBSEP launch_of[$1, $3]
    if ($8 == "global") {
        mine[at, "requests_" $7] += $10
        mine[at, "sectors_" $7] += $12
    } else if ($8 == "shared") {
        mine[at, "wavefronts"] += $14
        mine[at, "wavefronts_" $7] += $14
        mine[at, "conflicts"] += $15
        mine[at, "wavefronts_l1"] += $14
        mine[at, "conflicts_l1"] += $15
    }
    next
}

file == 3 && ($1 in emulated) {
    at = $1 SUBSEP $3
    if (!(at in name) || name[at] == "-")
        name[at] = $4
    if (!(($1, $3) in met)) {
        met[$1, $3]
        order[++launches] = at
        recorded_kernels[$1]++
    }
    if ($5 == "Grid Size")
        grid[at] = $6
    if ($5 == "smsp__sass_inst_executed_op_shared_atom.sum")
        atomics[at] = $6
    if ($5 == "smsp__inst_executed_op_shared_atom_dot_cas.sum")
        swaps[at] = $6
    add(at, $5, $6)
}

# A counter of ncu's is one of ours, or part of one. Wavefronts are told twice: as ncu ascribes them to instructions, and by
# the L1's own counters.
function add(at, metric, value,    part, kind) {
    if (value !~ /^[0-9.]+$/)
        return
    split(metric, part, /__t_|_pipe_lsu_mem_global_op_|_mem_shared_op_|[.]/)
    if (metric ~ /^l1tex__t_(requests|sectors)_pipe_lsu_mem_global_op_(ld|st|red|atom)[.]sum$/)
        theirs[at, part[2] "_" kind_of[part[3]]] += value
    if (metric !~ /_mem_shared_op_(ld|st|atom)[.]sum$/)
        return
    kind = kind_of[part[2]]
    if (metric ~ /^smsp__sass_l1tex_data_pipe_lsu_wavefronts_/) {
        theirs[at, "wavefronts_" kind] = value
        theirs[at, "wavefronts"] += value
    } else if (metric ~ /^l1tex__data_pipe_lsu_wavefronts_/) {
        theirs[at, "wavefronts_l1"] += value
        passes_l1[at, kind] = value
    } else if (metric ~ /^l1tex__data_bank_conflicts_/) {
        theirs[at, "conflicts_l1"] += value
        conflicts_l1[at, kind] = value
    }
}

# Conflicts: wavefronts less those that there would be without any. Of loads, stores and compare-and-swaps the L1's counters
# tell these; other atomics (of 4 bytes: wider ones are loops) take one each, as long as the same instructions ran.
function complete(at,    kinds, k, kind, ideal) {
    if (!((at, "wavefronts") in theirs))
        return
    split("load store atomic", kinds, " ")
    for (k = 1; k <= 3; k++) {
        kind = kinds[k]
        ideal = kind == "atomic" && (at in atomics) && !swaps[at] ? atomics[at] : passes_l1[at, kind] - conflicts_l1[at, kind]
        theirs[at, "conflicts"] += theirs[at, "wavefronts_" kind] - ideal
    }
}

END {
    for (program in emulated)
        if (kernels[program] != recorded_kernels[program]) {
            print program ": the emulator saw " kernels[program] + 0 " launches, ncu " recorded_kernels[program] + 0
            off = 1
        }
    for (i = 1; i <= launches; i++)
        compare_launch(order[i])
    for (k = 1; k <= counter_count; k++)
        if (compared[counters[k]])
            printf "%s: %d compared, %d off, %d known, worst %.2f %%\n", counters[k], compared[counters[k]],
                off_count[counters[k]], known_count[counters[k]], worst[counters[k]]
    exit off ? 1 : 0
}

function compare_launch(at,    part, k) {
    split(at, part, SUBSEP)
    if (part[2] >= kernels[part[1]])
        return
    complete(at)
    if (grid[at] != "" && grid[at] != emulated_grid[at])
        verdict(at, "grid", grid[at], emulated_grid[at], "", "off")
    for (k = 1; k <= counter_count; k++)
        if ((at, counters[k]) in theirs)
            compare(at, counters[k], theirs[at, counters[k]] + 0, mine[at, counters[k]] + 0)
}

function limit_of(counter) {
    return counter ~ /^wavefronts/ ? 5 : counter ~ /^conflicts/ ? 10 : 1
}

function compare(at, counter, recorded, counted,    difference, result, reason) {
    if (recorded == 0 && counted == 0)
        return
    difference = recorded == 0 ? 1e4 : 100 * (counted - recorded) / recorded
    compared[counter]++
    result = "ok"
    if (difference > limit_of(counter) || -difference > limit_of(counter)) {
        reason = why_known(at, counter)
        result = reason == "" ? "off" : "known: " reason
    }
    if (result == "off")
        off_count[counter]++
    else if (result != "ok")
        known_count[counter]++
    if (result !~ /^known/ && (difference < 0 ? -difference : difference) > worst[counter])
        worst[counter] = difference < 0 ? -difference : difference
    verdict(at, counter, recorded, counted, sprintf("%+.2f %%", difference), result)
}

function verdict(at, counter, recorded, counted, difference, result,    part) {
    split(at, part, SUBSEP)
    if (all || result != "ok")
        printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", part[1], part[2], name[at], counter, recorded, counted, difference, result
    if (result == "off")
        off = 1
}

function matches(pattern, text) {
    if (pattern == "*")
        return 1
    return pattern ~ /[*]$/ ? index(text, substr(pattern, 1, length(pattern) - 1)) == 1 : pattern == text
}

# 7, 4-9 or *
function in_range(range, number,    ends) {
    split(range, ends, "-")
    return range == "*" || (number + 0 >= ends[1] + 0 && number + 0 <= ends[range ~ /-/ ? 2 : 1] + 0)
}

function why_known(at, counter,    part, k) {
    split(at, part, SUBSEP)
    for (k = 1; k <= known; k++)
        if (matches(known_program[k], part[1]) && in_range(known_launch[k], part[2]) && matches(known_counter[k], counter))
            return known_reason[k]
    return ""
}
