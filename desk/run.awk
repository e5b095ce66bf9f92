# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Says how a program ended and what the checked build saw in it, for desk/run. It reads what build/program-told
# prints (common/program/told.c); -v name, status (the program's, as a shell has it), kind, cpu_s.
# Exit status: 0 it ended with 0, and nothing wrong was seen; 1 something was.

BEGIN {
    FS = "\t"
    page_columns = 80
    page_colour = colour
    open_page("text", "")
    read_hazard_kinds("emulator/findings/hazards.def")
    tell_of_programs()
}

# What a step does in its set-up and tear-down, a program does anywhere.
function tell_of_programs() {
    hazard_severity["leak"] = "REMARK"
    hazard_meaning["leak"] = "Memory that the program allocated is still there when it ends."
    hazard_remedy["leak"] = "Free it with cudaFree when nothing uses it any more."
    hazard_remedy["use-after-free"] = "Free it when no work is left that uses it."
    hazard_remedy["uninitialized"] = "Set it first. Neither cudaMalloc nor __shared__ gives zeros."
}

$1 == "hazard" || $1 == "place" { packed = packed (packed == "" ? "" : "\n") $0 }
$1 == "more" { more += $3 }
$1 == "cause" { cause = $2 }
$1 == "crash" { crash = $2; crashed = 1 }
$1 == "stuck" { stuck = $2; stuck_why = $3; was_stuck = 1 }
$1 == "exit" { ended = 1; launches = $2 }
$1 == "missing" { missing = $2 }

# hazards.awk asks a row for its cell.
function cell(r, column) {
    return packed
}

function plural(n, word) {
    return n " " word (n == 1 ? "" : "s")
}

function is_fault(h) {
    return hazard_severity[hazard[h, "kind"]] == "FAULT"
}

END {
    print ""
    read_hazards(0)
    for (h = 1; h <= hazards; h++)
        faults += is_fault(h)
    line = name " " how_it_ended()
    if (length(name) > 50) # a path stays in one piece
        preformatted(line)
    else
        paragraph(line)
    if (was_stuck)
        paragraph(stuck_why)
    if (kind == "checked")
        print_hazards()
    else if (kind == "plain" && status != 0 && !was_stuck)
        paragraph("Races and other hazards are looked for without PLAIN=1 (--plain).")
    close_pages()
    exit status != 0 || faults > 0
}

function how_it_ended(    text) {
    if (was_stuck)
        return "did not end: it was stopped after " cpu_s " s of CPU time" (stuck == "" ? "" : ", at " stuck) "."
    if (crashed || status > 128)
        return "crashed: signal " (status - 128) signal_name(status - 128) crash "."
    return "ended with exit status " status "."
}

function signal_name(number) {
    return number == 11 ? " (segmentation fault)" : number == 6 ? " (abort)" : number == 8 ? " (arithmetic error)" : \
           number == 7 ? " (bus error)" : number == 4 ? " (illegal instruction)" : number == 9 ? " (killed)" : \
           number == 2 ? " (interrupted)" : number == 15 ? " (terminated)" : ""
}

function print_hazards(    h, remarks) {
    if (!hazards) {
        paragraph(launches || !ended ? "no hazards found" : "no hazards found, but it has launched no kernel")
        return
    }
    remarks = hazards - faults
    paragraph(faults ? plural(faults, "hazard") (more ? ", and " more " more that were not kept" : "") ":" : "no hazards found")
    for (h = 1; h <= hazards; h++)
        if (is_fault(h))
            print_hazard(h)
    for (h = 1; h <= hazards; h++)
        if (!is_fault(h)) {
            print ""
            paragraph("remark: " hazard_in_short(h) ". " hazard_meaning[hazard[h, "kind"]] " " hazard_remedy[hazard[h, "kind"]])
        }
    if (missing != "")
        paragraph(missing)
    print ""
    paragraph("How to read a hazard: guides/hazards.md")
}

function print_hazard(h,    p) {
    print ""
    paragraph(coloured(hazard_title(h), "red") (hazard[h, "note"] == "" ? "" : " (" hazard[h, "note"] ")"))
    page_margin = "    "
    for (p = 1; p <= hazard[h, "places"]; p++) {
        paragraph(strong(hazard_place(h, p)))
        if (hazard[h, p, "source"] != "") {
            page_margin = "        "
            preformatted(clip(hazard[h, p, "source"], page_columns - length(page_margin)))
            page_margin = "    "
        }
    }
    if (!said[hazard[h, "kind"]]++)
        paragraph(h == 1 && cause != "" ? cause : hazard_meaning[hazard[h, "kind"]] " " hazard_remedy[hazard[h, "kind"]])
    page_margin = ""
}
