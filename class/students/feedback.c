/* What class/feedback writes: a page for each submission, as text, Markdown and HTML. Of a step's
 * log it shows the compiler's errors or what the step printed, as at the desk. */
#include "../grades/views.h"

#include <math.h>
#include <string.h>

#include "../grades/facts.h"
#include "../grades/private.h"
#include "lib/counters.h"
#include "lib/hazards.h"
#include "lib/steps.h"
#include "views/one_step.h"

/* A page of feedback. It holds nothing of another submission. */
struct feedback {
    const struct class *class;
    const struct submission *of;
    struct page *page;
    const char *results; /* results.jsonl */
};

static const char *coloured_verdict(const struct grade *grade) {
    const char *group = verdict_of(grade->verdict)->group;
    enum colour colour = same(group, "right") ? GREEN : same(group, "wrong") ? RED : YELLOW;
    return coloured(decided_verdict(grade), colour);
}

static const char *foretold_cell(double value) {
    return isnan(value) ? "-" : say("~%s", significant(value, 3));
}

/* ---- all steps ---------------------------------------------------------------------------------- */

static bool has_times(const struct feedback *to) {
    bool found = false;
    for (const struct grade *grade = to->of->grade; grade->step; grade++)
        found |= !isnan(timed_grade(grade).us);
    return found;
}

static void put_times(struct table *table, const struct grade *grade) {
    bool foretold = *grade->basis;
    double us = timed_grade(grade).us;
    put_cells(table, foretold ? foretold_cell(us) : significant(us, 4),
              percent(grade->row ? grade->row->r.roof_fraction : NAN),
              foretold ? foretold_cell(grade->ratio) : times(grade->ratio));
}

/* Columns of times only where there are some; in a browser a step's name leads to it. */
static void put_overview(const struct feedback *to) {
    static const struct {
        const char *title;
        enum align align;
        size_t room;
    } column[] = {{"step", LEFT, 25},    {"verdict", LEFT, 16}, {"points", RIGHT, 10},
                  {"us/call", RIGHT, 8}, {"% roof", RIGHT, 6},  {"x ours", RIGHT, 6}};
    struct table *table = new_table();
    bool timed = has_times(to);
    for (size_t c = 0; c < (timed ? 6 : 3); c++)
        table_column_of(table, column[c].title, column[c].align, column[c].room, column[c].room);
    for (const struct grade *grade = to->of->grade; grade->step; grade++) {
        put_row_of(table, linked(grade->step, say("#%s", file_name(grade->step)), ""),
                   coloured_verdict(grade), *grade->left_out ? "left out" : worth_in_words(grade));
        if (timed)
            put_times(table, grade);
    }
    put_table(to->page, table);
}

/* ---- the log -------------------------------------------------------------------------- */

/* What it is called in the folder; a name that is odd is none. */
static const char *log_of(const struct feedback *to, const char *step) {
    const char *who = to->of->name;
    return same(file_name(who), who) && same(file_name(step), step)
               ? beside(to->results, say("logs/%s/%s.log", who, step))
               : "";
}

static void put_log(const struct feedback *to, const struct grade *grade) {
    enum { MOST_BYTES = 1 << 20 };
    const char *all = is_one_of(grade->verdict, "build-failed wrong nondeterministic hazard "
                                                "no-kernel launch-failed crashed timed-out")
                          ? file_text(log_of(to, grade->step))
                          : NULL;
    const char **lines = lines_in(all ? say("%.*s", MOST_BYTES, all) : NULL);
    for (const char **line = lines; *line; line++)
        /* Tabs would all become one blank, and what follows an error begins with one. */
        *line = of_student(replaced(*line, "\t", "    "), grade->row);
    if (same(grade->verdict, "build-failed"))
        put_errors(to->page, lines, "", "");
    else
        put_printed(to->page, lines, "", false);
}

/* ---- a step ------------------------------------------------------------------------------------- */

static const char *time_in_words(const struct grade *grade, const struct timed *of) {
    struct text text = {0};
    add(&text, "%s us a call", significant(of->us, 4));
    if (!isnan(of->low))
        add(&text, " (95 %% interval %s to %s)", significant(of->low, 4), significant(of->high, 4));
    if (grade->row->r.scaled == RECORD_TRUE)
        add(&text, ", scaled up from fewer calls");
    if (!isnan(grade->row->r.roof_fraction))
        add(&text, ", %s %% of the roof (one read of the input)",
            percent(grade->row->r.roof_fraction));
    if (!isnan(grade->ratio))
        add(&text, ", %s times the time of this project's own version (%s us)", times(grade->ratio),
            significant(grade->ours->us, 4));
    return say("%s.", text.bytes);
}

static const char *next_of_right(const struct grade *grade) {
    double full = (double)grade->worth[FULL] / POINT;
    if (isnan(grade->ratio))
        return "Right. Only a GPU can tell how fast it is.";
    if (grade->row->r.roof_fraction > 0.9)
        return "At the roof: reading the input takes nearly all of the time. There is little left "
               "to gain.";
    if (grade->ratio <= (full > 0 ? full : 1.2))
        return "As fast as this step asks. What is left up to the roof is the subject of other "
               "steps.";
    const char *idea = step_header(grade->step, "idea");
    return say("Slower than this step's idea allows%s%s Look for what your kernel does beyond "
               "that, for each element and for each call.",
               *idea ? ": " : ".", printable(idea));
}

static const char *next_hint(const struct grade *grade) {
    const char *detail = grade->row ? grade->row->r.detail : "";
    if (!grade->row)
        return "Nothing for you to do: this step has not been graded yet.";
    if (shows_mistake(grade))
        return "This step is there to show a wrong answer. Explain in your journal why it is "
               "wrong.";
    if (same(grade->verdict, "not-started") && matches(detail, "under another name$"))
        return "Begin with this step's own file as it was handed out: its task stands at the top.";
    if (same(grade->verdict, "missing") && strstr(detail, "refused: "))
        return "Pack your steps with `make submit`, and hand in the archive that it writes.";
    return is_right(grade)
               ? next_of_right(grade)
               : verdict_advice_for(grade->verdict, short_name(grade->step), is_cpu(grade->row));
}

/* The lines of the first hazard. */
static void put_places(const struct feedback *to, const struct row *row) {
    const struct hazards_fields *hazard = row->r.hazards.item;
    for (size_t i = 0; i < hazard->places.count; i++) {
        struct places_fields place = ((const struct places_fields *)hazard->places.item)[i];
        place.file = of_student(place.file, row);
        place.does = of_student(place.does, row);
        place.source = of_student(place.source ? place.source : "", row);
        put_place(to->page, &place, true);
    }
}

/* What the checked build saw; of a verdict `hazard` the first is the verdict's. */
static void put_hazards(const struct feedback *to, const struct row *row) {
    const struct hazards_fields *hazard = row->r.hazards.item;
    for (size_t i = has_verdict(row, "hazard"); i < row->r.hazards.count; i++)
        fact(
            to->page, same(hazard[i].severity, "fault") ? "Also" : "Remark",
            of_student(say("%s. %s", hazard_in_short(&hazard[i]), hazard_remedy(&hazard[i])), row));
}

static void put_speed_facts(const struct feedback *to, const struct grade *grade) {
    struct timed of = timed_grade(grade);
    if (isnan(of.us))
        return;
    if (*grade->basis) {
        fact(to->page, "Predicted",
             say("~%s on %s, ~%s times this project's own version, predicted too. None of this is "
                 "measured.",
                 predicted_in_words(of.us, of.low, of.high), printable(grade->row->r.predicted_gpu),
                 times(grade->ratio)));
        return;
    }
    fact(to->page, "Time", time_in_words(grade, &of));
    if (*grade->row->r.notes)
        fact(to->page, "Note", of_student(grade->row->r.notes, grade->row));
}

static void put_findings(const struct feedback *to, const struct grade *grade) {
    const struct row *row = grade->row;
    if (!same(grade->verdict, "pass") && *row->r.detail)
        fact(to->page, "Why", of_student(row->r.detail, row));
    if (is_without_idea(grade))
        fact(to->page, "Idea",
             say("missing, as far as counters tell (%s): %s %s.", idea_cost(grade),
                 short_name(grade->step), printable(grade->lacks)));
    if (same(grade->verdict, "hazard") && row->r.hazards.count)
        put_places(to, row);
    if (*row->r.diagnosis)
        fact(to->page, "Diagnosis", of_student(row->r.diagnosis, row));
    put_hazards(to, row);
    put_speed_facts(to, grade);
}

static void put_step(const struct feedback *to, const struct grade *grade) {
    struct page *page = to->page;
    const char *title = printable(step_header(grade->step, "title"));
    page->margin = "";
    heading_at(page, 2, say("%s%s%s", code(grade->step), *title ? ": " : "", title),
               file_name(grade->step));
    page->margin = "  ";
    fact(page, "Verdict", coloured_verdict(grade));
    if (grade->row)
        put_findings(to, grade);
    fact(page, "Points", of_student(grade->how, grade->row));
    fact(page, "Next", with_marks(next_hint(grade)));
    if (grade->row) {
        const char *when = printable(grade->row->r.when);
        put_log(to, grade);
        fact(page, "Record",
             say("line %zu%s of results.jsonl%s%s", grade->row->line,
                 isnan(grade->ratio) || *grade->basis ? ""
                                                      : say(", ours line %zu", grade->ours->line),
                 *when ? ", " : "", when));
    }
}

/* ---- the page ----------------------------------------------------------------------------------- */

static void put_head(const struct feedback *to) {
    struct page *page = to->page;
    const char *title = printable(to->class->assignment->fact[TITLE].value);
    const char *id = printable(to->of->name),
               *name = printable(people_cell(&to->class->people, to->of->name, "name"));
    page->title = say("%s%sFeedback for %s", title, *title ? ": " : "", otherwise(name, id));
    heading(page, 1, page->title);
    paragraph(page, strong(say("%s.", total_in_words(to->of))));
    if (to->class->assignment->fact[TOTAL].number || *to->of->late.how)
        paragraph(page, say("Grade: %s", strong(say("%s.", grade_in_words(to->class, to->of)))));
    if (*name && !same(name, id))
        paragraph(page, say("Submission: %s", id));
}

static void put_feedback(const struct feedback *to) {
    struct page *page = to->page;
    page->columns = 78; /* a mail's */
    page->spaced = page->sealed = true;
    put_head(to);
    put_overview(to);
    if (to->of->predicted && has_times(to))
        paragraph(page, "Speed was not measured. Times with a tilde are predicted.");
    else if (!has_times(to))
        paragraph(page, "Speed was not measured.");
    for (const struct grade *grade = to->of->grade; grade->step; grade++) {
        markup(page, "<section class=\"step\">");
        put_step(to, grade);
        markup(page, "</section>");
    }
}

/* OUT RESULTS.jsonl */
int view_feedback(int count, char **words) {
    if (count != 2)
        give_up(2, "needs the folder of pages, and RESULTS.jsonl");
    struct class class = read_class(words[1]);
    for (const struct submission *one = class.submission; one->name; one++) {
        struct feedback to = {&class, one, new_page(), words[1]};
        const struct page *page = to.page;
        const char *path = say("%s/%s", words[0], file_name(one->name));
        put_feedback(&to);
        write_page_to(page, TEXT_PAGE, say("%s.txt", path));
        write_page_to(page, MARKDOWN, say("%s.md", path));
        write_page_to(page, HTML, say("%s.html", path));
    }
    printf("%zu pages of feedback in %s\n", class.submissions, words[0]);
    return class.status;
}
