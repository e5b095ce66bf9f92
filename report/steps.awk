# What stands once for each step, read from where it stands: the header of labs/<step>/step.md, and
# the original lab's machine in gtx680.txt. ENVIRON LABS and GTX680 say where those are.

# A line `key: value` of a step's header; "" where the step or the line is missing.
function step_header(step, key) {
    if (!(step in header_read)) {
        header_read[step] = 1
        read_header(ENVIRON["LABS"] "/" step "/step.md", step)
    }
    return ((step, key) in header) ? header[step, key] : ""
}

# The same of gtx680.txt: reference, roof, gbps, name.
function gtx680(key) {
    if (!("gtx680" in header_read)) {
        header_read["gtx680"] = 1
        read_header(ENVIRON["GTX680"], "gtx680")
    }
    return (("gtx680", key) in header) ? header["gtx680", key] : ""
}

function read_header(path, name,    line, colon) {
    while ((getline line < path) > 0 && line != "") {
        colon = index(line, ": ")
        if (colon > 0)
            header[name, substr(line, 1, colon - 1)] = substr(line, colon + 2)
    }
    close(path)
}

# The journal's seconds for 1000 iterations on its GTX 680; "" where it had none.
function journal_seconds(step,    seconds) {
    seconds = step_header(step, "journal")
    return seconds + 0 > 0 ? seconds : ""
}

# sha256 of a file; "" where it cannot be read, or where sha256sum is missing.
function source_sum(path,    command, line, quoted) {
    quoted = path
    gsub(/'/, "'\\''", quoted)
    command = "sha256sum 2>/dev/null < '" quoted "'"
    line = ""
    command | getline line
    close(command)
    return substr(line, 1, 64)
}
