# The part of report/one-step's page that is about counters: what the emulator counted of the record `now`, what it
# predicts, and whether the step's idea is in it. What costs most is shown, in at most COUNTER_LINES lines.

BEGIN {
    COUNTER_LINES = 7  # and one for the time
    LEAST_SHARE = 0.02 # of all costs: what costs less is not worth a line
}

function print_idea(    idea) {
    idea = cell(now, "idea")
    if (idea == "" || idea == "there")
        return
    paragraph(coloured("The step's idea is not in it: ", "yellow") short_name(step) " " idea ".")
}

function print_counters(    order, n, i, left) {
    take_counters(cell(now, "launches"), cell(now, "accesses"))
    sum_up()
    if (per_kernels) {
        print ""
        total_cost = 0
        for (i = 1; i <= per_kernels; i++)
            total_cost += per_kernel[i, "cost"]
        n = costliest(per_kernel, per_kernels, 0, order)
        left = COUNTER_LINES
        for (i = 1; i <= n && left > 0; i++)
            if (i == 1 || above(per_kernel[order[i], "cost"], LEAST_SHARE * total_cost))
                left -= print_group(order[i], left)
    }
    print_prediction()
}

# A kernel, and below it what its lines do. Returns how many lines it took.
function print_group(g, most,    order, n, i, printed) {
    paragraph(strong(per_kernel[g, "kernel"]) (per_kernel[g, "launches"] > 1 ? ", " per_kernel[g, "launches"] " launches, the largest" : "") \
                 ": " launch_in_words(per_kernel[g, "largest"], cell(now, "counted_gpu")) moved_in_words(g))
    printed = 1
    page_margin = page_margin "  "
    n = costliest(per_line, per_lines, g, order)
    for (i = 1; i <= n && printed < most && printed < 5; i++)
        if (i == 1 || above(per_line[order[i], "cost"], LEAST_SHARE * total_cost)) {
            paragraph(where_of(order[i]) ": " line_in_words(order[i]))
            printed++
        }
    page_margin = "    "
    return printed
}

function where_of(i) {
    return above(per_line[i, "line"], 0) ? "line " per_line[i, "line"] : "an unknown line"
}

function moved_in_words(g) {
    return "; reads " bytes_in_words(per_kernel[g, "read_bytes"]) \
           (above(per_kernel[g, "written_bytes"], 0.1 * per_kernel[g, "read_bytes"]) ? ", writes " bytes_in_words(per_kernel[g, "written_bytes"]) : "")
}

function print_prediction(    text, size) {
    if (num(now, "predicted_us") == "")
        return
    size = counted_size()
    text = "predicted for " a_gpu(cell(now, "predicted_gpu")) (size == "" ? "" : ", " size) ": " \
           predicted_in_words(num(now, "predicted_us"), num(now, "predicted_low_us"), num(now, "predicted_high_us"))
    if (cell(now, "predicted_limit") != "")
        text = text ", limited by " limit_in_words(printable(cell(now, "predicted_limit")))
    paragraph(text "; not measured")
}

# Where it is not that of the record.
function counted_size() {
    if (num(now, "counted_rows") == "" || key_of(now, "counted_rows counted_columns") == key_of(now, "rows columns"))
        return ""
    return num(now, "counted_columns") == 1 ? many(num(now, "counted_rows")) " elements" : \
           num(now, "counted_rows") " x " num(now, "counted_columns")
}
