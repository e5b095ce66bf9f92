/* How a program ended, and what the checked build saw in it, for desk/run. It reads the record that
 * build/program-told makes (common/program/told.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hazards.h"
#include "lib/page.h"
#include "views/views.h"

struct ran {
    const char *name;
    int status;        /* as a shell has it */
    const char *kind;  /* of build: checked, plain, counted */
    const char *cpu_s; /* that it may take */
    const struct row *row;
};

/* What a step does in its set-up and tear-down, a program does anywhere. */
static bool is_fault(const struct hazards_fields *hazard) {
    return same(hazard->severity, "fault") && !same(hazard->kind, "leak");
}

static size_t faults_of(const struct row *row) {
    size_t faults = 0;
    foreach_object (hazards, hazard, row->r.hazards)
        faults += is_fault(hazard);
    return faults;
}

/* ---- words ------------------------------------------------------------------------------------ */

static const char *how_it_ended(const struct ran *ran) {
    const char *where = ran->row->r.detail;
    int number = ran->status - 128;
    if (has_verdict(ran->row, "timed-out"))
        return say("did not end: it was stopped after %s s of CPU time%s%s.", ran->cpu_s,
                   *where ? ", at " : "", where);
    if (has_verdict(ran->row, "crashed") || number > 0)
        return say("crashed: signal %d (%s)%s.", number, strsignal(number), where);
    return say("ended with exit status %d.", ran->status);
}

static const char *explained(const struct hazards_fields *hazard) {
    static const char *const others[][3] = {
        {"leak", "Memory that the program allocated is still there when it ends.",
         "Free it with cudaFree when nothing uses it any more."},
        {"use-after-free", NULL, "Free it when no work is left that uses it."},
        {"uninitialized", NULL,
         "Initialize it first. Neither cudaMalloc nor __shared__ gives zeros."}};
    const char *meaning = hazard_meaning(hazard), *remedy = hazard_remedy(hazard);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (same(others[i][0], hazard->kind)) {
            meaning = others[i][1] ? others[i][1] : meaning;
            remedy = others[i][2];
        }
    return say("%s %s", meaning, remedy);
}

/* ---- the page --------------------------------------------------------------------------------- */

/* What a kind means is said once: `words`, or nothing. */
static void put_fault(struct page *page, const struct hazards_fields *hazard, const char *words) {
    blank_line(page);
    paragraph(page, say("%s%s", coloured(hazard_title(hazard), RED),
                        *hazard->note ? say(" (%s)", hazard->note) : ""));
    page->margin = "    ";
    foreach_object (places, place, hazard->places)
        put_place(page, place, true);
    paragraph(page, words);
    page->margin = "";
}

static void put_hazards(struct page *page, const struct row *row) {
    size_t faults = faults_of(row);
    struct map said = {0};
    const char *cause = row->r.diagnosis; /* of the first fault, in the judge's words */
    if (!row->r.hazards.count) {
        bool idle = has_verdict(row, "no-kernel");
        paragraph(page, say("no hazards found%s", idle ? ", but it has launched no kernel" : ""));
        return;
    }
    const char *more = where_known(row->r.more_hazards,
                                   say(", and %.0f more that were not kept", row->r.more_hazards));
    paragraph(page, faults ? say("%s%s:", plural(faults, "hazard"), more) : "no hazards found");
    foreach_object (hazards, hazard, row->r.hazards)
        if (is_fault(hazard)) {
            bool is_caused = hazard == row->r.hazards.item && *cause;
            put_fault(page, hazard,
                      !is_new(&said, hazard->kind) ? ""
                      : is_caused                  ? cause
                                                   : explained(hazard));
        }
    foreach_object (hazards, hazard, row->r.hazards)
        if (!is_fault(hazard)) {
            blank_line(page);
            paragraph(page, say("remark: %s. %s", hazard_in_short(hazard), explained(hazard)));
        }
    blank_line(page);
    paragraph(page, "How to read a hazard: guides/hazards.md");
}

/* desk/run NAME STATUS KIND CPU_S RECORD. 0 the program ended with 0, and nothing wrong was seen; 1
 * something was. */
int view_ran(int count, char **words) {
    if (count != 5)
        return 2;
    struct ran ran = {
        .name = words[0], .status = atoi(words[1]), .kind = words[2], .cpu_s = words[3]};
    struct rows rows = {.all = true};
    read_rows(&rows, words[4]);
    if (!rows.count)
        return 3;
    ran.row = rows.row[0];
    struct page *page = new_page();
    page->columns = 80;
    page->colour = shows_colour();
    const char *line = say("%s %s", ran.name, how_it_ended(&ran));
    blank_line(page);
    (width(ran.name) > 50 ? preformatted : paragraph)(page, line); /* a path stays in one piece */
    paragraph(page, ran.row->r.notes);
    if (same(ran.kind, "checked"))
        put_hazards(page, ran.row);
    else if (same(ran.kind, "plain") && ran.status != 0 && !has_verdict(ran.row, "timed-out"))
        paragraph(page, "Races and other hazards are looked for without PLAIN=1 (--plain).");
    write_page(page, TEXT_PAGE, stdout);
    return ran.status != 0 || faults_of(ran.row) > 0;
}
