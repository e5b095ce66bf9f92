# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What report/tsv prints: columns of the rows, for programs that know no empty cells.

BEGIN {
    n_names = split("submission device device_kind when problem input kind step title verdict scaled seconds " \
                    "seconds_low seconds_high us gbps speedup speedup_low speedup_high roof_fraction roof_gbps " \
                    "spec_gbps roof_speedup spec_speedup reference bytes elements gtx680_seconds gtx680_speedup " \
                    "multiprocessors", names, " ")
}

END {
    for (i = 1; i <= rows; i++)
        list[i] = i
    sort_rows(list, rows, "submission problem device")
    print_line(0)
    for (i = 1; i <= rows; i++)
        print_line(list[i])
}

function print_line(r,    i, line) {
    for (i = 1; i <= n_names; i++)
        line = line (i > 1 ? "\t" : "") (r ? tsv_cell(r, names[i]) : names[i])
    print line
}

function tsv_cell(r, name) {
    if (name == "seconds_low" || name == "seconds_high") {
        sub(/seconds/, "us", name)
        return number_or_nan(num(r, name) == "" ? "" : num(r, name) / 1000)
    }
    if (name == "multiprocessors")
        name = "sms"
    if (type_of[name] == "number")
        return number_or_nan(num(r, name))
    return text_for_gnuplot(name == "when" ? substr(cell(r, name), 1, 10) : cell(r, name))
}
