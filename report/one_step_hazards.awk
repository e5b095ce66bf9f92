# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The part of report/one-step's page that is about hazards: those of the record `now`, read by read_hazards().

BEGIN {
    REMARKS_SHOWN = 3
}

# The lines of the first hazard, each with who did what there.
function print_places(    p) {
    print ""
    for (p = 1; p <= hazard[1, "places"]; p++) {
        paragraph(strong(hazard_place(1, p)))
        page_margin = "        "
        if (hazard[1, p, "source"] != "")
            preformatted(clip(hazard[1, p, "source"], page_columns - length(page_margin)))
        page_margin = "    "
    }
}

# A line for each, and where to read more.
function print_other_faults(    h) {
    print ""
    if (above(num(now, "faults"), 1))
        paragraph("and " (num(now, "faults") - 1) " more" \
                  (num(now, "more_hazards") == "" ? "" : ", and others that were not kept") ":")
    for (h = 2; h <= hazards; h++)
        if (hazard[h, "severity"] == "fault")
            paragraph(hazard_in_short(h))
    paragraph("How to read a hazard: guides/hazards.md")
}

function print_remarks(    h, shown) {
    for (h = 1; h <= hazards && shown < REMARKS_SHOWN; h++)
        if (hazard[h, "severity"] == "remark") {
            shown++
            paragraph("remark: " hazard_in_short(h) ". " hazard_remedy[hazard[h, "kind"]])
        }
    if (above(num(now, "remarks"), shown))
        paragraph("and " (num(now, "remarks") - shown) " more")
}
