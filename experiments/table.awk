# The table of experiments/table. Reads records through records.awk.

END {
    if (bad_input)
        exit 2
    collect()
    print_summary()
    print_head()
    for (n = 1; n <= experiments; n++)
        print_experiment(experiment[n])
}

# Names and inputs in the order in which they come; the first step is the base. Experiments are then
# sorted by their time on the first input, those without one last.
function collect(    i, name, input, seconds) {
    base = ""
    for (i = 1; i <= count; i++) {
        name = field(i, "step")
        input = field(i, "input")
        if (!(input in seen_input)) {
            seen_input[input] = 1
            input_name[++inputs] = input
        }
        id[name, input] = i
        if (name in seen)
            continue
        seen[name] = 1
        if (!is_step(i))
            other[++others] = name
        else if (base == "")
            base = name
        else if (name != base ", again")
            experiment[++experiments] = name
    }
    for (i = 1; i <= experiments; i++) {
        seconds = microseconds(experiment[i], input_name[1])
        sort_key[experiment[i]] = sprintf("%020.6f %s", seconds == "" ? 1e12 : seconds, experiment[i])
    }
    sort_ids(experiment, experiments, sort_key)
}

# Where, when, and what the others are compared with.
function print_summary(    i, name) {
    i = id[base, input_name[1]]
    print cell(field(i, "device.name")) ", " substr(field(i, "when"), 1, 10) \
          (seconds_for(i, 1) == "" ? ". Times are not measured there." : \
           ". Microseconds for an image; base: `" base "`.")
    print ""
    if (seconds_for(i, 1) == "")
        return
    print "| |" joined("name") "\n|---|" joined("line")
    print "| base |" joined("time", base)
    if ((base ", again") in seen)
        print "| base, measured again at the end |" joined("both", base ", again")
    for (i = 1; i <= others; i++)
        print "| " cell(other[i]) " |" joined("time", other[i])
    print ""
}

function print_head(    i, head, line) {
    head = "| experiment | idea |"
    line = "|---|---|"
    for (i = 1; i <= inputs; i++) {
        head = head " " input_name[i] " | to base |"
        line = line "--:|--:|"
    }
    print head " why not |\n" line "---|"
}

function print_experiment(name,    row, i) {
    read_header(name)
    row = "| " cell(name) " | " cell(idea) " |"
    for (i = 1; i <= inputs; i++)
        row = row " " result(name, input_name[i]) " | " difference(name, input_name[i]) " |"
    print row " " cell(why_not) " |"
}

# One cell for each input: its name, a ruler, a time, or a time and its difference to the base.
function joined(what, name,    i, row) {
    for (i = 1; i <= inputs; i++)
        row = row (what == "line" ? "--:" : \
                   " " (what == "name" ? input_name[i] : \
                        result(name, input_name[i]) \
                        (what == "both" ? " (" difference(name, input_name[i]) ")" : "")) " ") "|"
    return row
}

# A time counts where the verdict is pass; else the verdict is what there is to say.
function result(name, input,    time) {
    time = microseconds(name, input)
    return time != "" ? sprintf("%.2f", time) : \
           ((name, input) in id) ? field(id[name, input], "verdict") : "-"
}

function difference(name, input,    time, before) {
    time = microseconds(name, input)
    before = microseconds(base, input)
    return time == "" || before == "" ? "-" : sprintf("%+.1f %%", 100 * (time / before - 1))
}

function microseconds(name, input,    i, seconds) {
    if (!((name, input) in id))
        return ""
    i = id[name, input]
    seconds = field(i, "verdict") == "pass" ? seconds_for(i, 1) : ""
    return seconds == "" ? "" : seconds * 1e6
}

# The text of an experiment, from its first empty line to its first change: the idea up to "Why not:", the
# reason from there on.
function read_header(name,    path, line, text, at, told) {
    path = ENVIRON["EXPERIMENTS"] "/" name
    while ((getline line < path) > 0 && line !~ /^@@/) {
        if (told && line != "")
            text = text " " line
        told = told || line == ""
    }
    close(path)
    at = index(text, " Why not: ")
    idea = at ? substr(text, 2, at - 2) : substr(text, 2)
    why_not = at ? substr(text, at + 10) : ""
}

function cell(text) {
    text = printable(text)
    gsub(/\|/, "\\|", text)
    return text == "" ? "-" : text
}
