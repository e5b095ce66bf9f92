/* The lab journal in Markdown. */
#include "journal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/counters.h"
#include "lib/source.h"
#include "lib/steps.h"
#include "lib/svg.h"
#include "lib/words.h"
#include "results.h"
#include "views.h"

/* What is being written: columns and sections that would be empty are left out. */
struct writing {
    const struct journal *journal;
    struct page *page;
    const char *problem;
    struct members of;
    bool any_time, any_predicted, any_gtx680;
    const char *before, **before_source; /* the step before with a source, and its lines */
};

static struct row *predicted_row(struct writing *to, const char *step) {
    return *find(&to->of.predicted, step);
}

static bool is_main_ladder(const struct writing *to) { return same(to->problem, "opt_2dhisto"); }

static void look_at_times(struct writing *to) {
    to->any_time = to->any_predicted = to->any_gtx680 = false;
    foreach (row, &to->of.steps) {
        to->any_time |= is_here(&to->of, row) && !isnan(row->seconds);
        to->any_predicted |= predicted_row(to, row->r.step) != NULL;
        to->any_gtx680 |= !isnan(gtx680_seconds(row->r.step));
    }
}

static const char *measured(double value, int digits, const char *unit) {
    return isnan(value) ? "not measured" : with_unit(value, digits, unit);
}

static const char *in_seconds(double seconds) { return say("%s seconds", significant(seconds, 4)); }

/* ---- what stands once for a problem ----------------------------------------------------------- */

static const char *graded_on(const struct list *rows) {
    const char *first = "", *last = "";
    foreach (row, rows) {
        const char *date = leading(row->r.when, 10);
        if (!is_step(row))
            continue;
        first = !*first || strcmp(date, first) < 0 ? date : first;
        last = strcmp(date, last) > 0 ? date : last;
    }
    return same(first, last) ? last : say("%s to %s", first, last);
}

static const char *shape(const struct list *rows) {
    return say("%s x %s", plain_number(FIRST(rows, r.rows)), plain_number(FIRST(rows, r.columns)));
}

static void write_machine(const struct writing *to) {
    const struct list *rows = &to->of.rows;
    bool is_gpu = !same(FIRST_TEXT(rows, device.kind), "cpu");
    heading(to->page, 2, "Machine and input");
    item(to->page, say("Device: %s", is_gpu && rows->count ? device_line(rows)
                                                           : otherwise(to->of.device, "unknown")));
    item(to->page,
         say("Input: %s, %s, seed %s", code(to->of.input), shape(rows), FIRST_TEXT(rows, r.seed)));
    item(to->page, say("Graded: %s", graded_on(rows)));
    if (!is_gpu)
        item(to->page,
             say("The cpu device is an emulation: it checks correctness and not speed. No times "
                 "are measured.%s",
                 to->any_predicted ? " A time predicted for a GPU has a tilde." : ""));
}

static void put_roof(struct table *table, const char *what, double gbps, double bytes) {
    if (isnan(gbps))
        return;
    put_row(table, what, significant(gbps, 4), with_unit(bytes / gbps / 1e3, 4, " us"),
            with_unit(bytes / gbps / 1e6, 4, " s"));
}

static void write_roof(const struct writing *to) {
    const struct list *rows = &to->of.rows;
    double bytes = FIRST(rows, r.bytes), elements = FIRST(rows, elements);
    struct table *table = new_table();
    heading(to->page, 2, "Maximum possible speed");
    paragraph(to->page, "Assume that memory is the limit, not arithmetic: every element has to be "
                        "read once, so no step can be faster than the time in which the memory "
                        "delivers the input. Launches and outputs are neglected.");
    if (isnan(bytes) || !(elements > 0)) {
        paragraph(to->page,
                  "Not measured: the records do not say how many bytes a call has to move.");
        return;
    }
    as_it_is(to->page, say("    bytes = %s x %s B = %s B\n\n"
                           "    time of one iteration = bytes / bandwidth\n",
                           shape(rows), plain_number(bytes / elements), plain_number(bytes)));
    table_columns(table, "bandwidth|>GB/s|>1 iteration|>1000 iterations");
    put_roof(table, say("specified, %s", to->of.device), FIRST(rows, device.spec_gbps), bytes);
    put_roof(table, say("the fastest read measured, %s", to->of.device), FIRST(rows, r.roof_gbps),
             bytes);
    if (is_main_ladder(to))
        put_roof(table, say("specified, %s (the original journal)", gtx680("name")),
                 atof(gtx680("gbps")), bytes);
    put_table(to->page, table);
}

static void write_reference(const struct writing *to) {
    const struct list *rows = &to->of.rows;
    heading(to->page, 2, "Reference solution: one CPU thread");
    paragraph(to->page,
              say("%s @ 1000 iterations, measured in the same run%s",
                  in_seconds(FIRST(rows, reference)),
                  is_main_ladder(to)
                      ? say("; the original journal's CPU took %s seconds.", gtx680("reference"))
                      : "."));
    foreach (row, rows)
        if (!is_step(row) && !isnan(row->seconds))
            item(to->page,
                 say("%s %s: %s", row->r.kind, code(step_shown(row)), in_seconds(row->seconds)));
}

/* Where nothing was measured here, only the charts that have something of these steps: what was
 * predicted of them. */
static void write_charts(const struct writing *to) {
    if (!to->any_time && !to->any_predicted)
        return;
    put_charts(to->page, to->journal->drawn, "charts/", to->problem, NULL);
    paragraph(to->page, to->journal->note);
}

/* Over the step that this one builds on. */
static const char *over_previous(struct writing *to, const struct row *row) {
    const char *before = step_header(row->r.step, "builds-on");
    if (same(before, "none"))
        return "it is the first";
    const struct row *other = *find(&to->of.newest, before);
    return measured(other && is_here(&to->of, other) ? ratio_of(other->us, row->us) : NAN, 3, "x");
}

static struct table *begin_overview(const struct writing *to) {
    struct table *table = table_of("step|verdict");
    if (to->any_time)
        table_columns(table, ">seconds|>speedup|>over the step before|>% of the roof");
    if (to->any_gtx680)
        table_column(table, "GTX 680, seconds", RIGHT);
    if (to->any_predicted)
        table_column(table, "predicted us a call, not measured", RIGHT);
    return table;
}

/* As step.md has them. */
static const char *gtx680_text(const char *step) {
    return where_known(gtx680_seconds(step), step_header(step, "gtx680"));
}

static void put_step(struct writing *to, struct table *table, const struct row *shown) {
    const struct row *predicted = predicted_row(to, shown->r.step);
    bool here = is_here(&to->of, shown);
    put_row(table, shown->r.step, verdict_shown(shown));
    if (to->any_time)
        put_cells(table, measured(here ? shown->seconds : NAN, 4, ""),
                  here ? measured(shown->speedup, 4, "x") : "",
                  here ? over_previous(to, shown) : "",
                  here ? measured(100 * shown->r.roof_fraction, 3, "") : "");
    if (to->any_gtx680)
        put(table, gtx680_text(shown->r.step));
    if (to->any_predicted)
        put(table, predicted ? say("~%s", significant(predicted->predicted_us, 3)) : "");
}

static void write_overview(struct writing *to) {
    struct results results = results_of(&to->of.steps);
    struct table *table = begin_overview(to);
    heading(to->page, 2, "All steps");
    write_charts(to);
    foreach (row, &results.begun)
        put_step(to, table, row);
    put_table(to->page, table);
    if (results.not_started)
        paragraph(to->page,
                  say("Not started: %s.", steps_in_short(results.waiting, results.not_started)));
}

/* ---- a step ----------------------------------------------------------------------------------- */

/* What was written below the header, as it stands. The task is left out, since a journal tells what
 * was done, and so is a heading with nothing below it. */
static void write_words(struct writing *to, const char *step) {
    size_t count;
    const struct section *section =
        read_sections(say("%s/%s/step.md", labs_directory(), step), 0, &count);
    for (size_t i = 0; i < count; i++) {
        const char *title = section[i].title, *text = section[i].text;
        if (same(title, "## Task") || !is_written(text))
            continue;
        text += strspn(text, "\n");
        size_t length = strlen(text);
        while (length && text[length - 1] == '\n')
            length--;
        as_it_is(to->page, say("%s%s%s%.*s\n", *title ? "#" : "", title, *title ? "\n" : "",
                               (int)length, text));
    }
}

static void write_times(struct writing *to, const struct row *row) {
    item(to->page, say("%s @ 1000 iterations, median of %zu samples%s%s", in_seconds(row->seconds),
                       row->r.samples_s.count,
                       where_known(row->us_low, say("; 95 %% interval of the median %s to %s",
                                                    significant(row->us_low / 1000, 4),
                                                    significant(row->us_high / 1000, 4))),
                       row->r.scaled == RECORD_TRUE
                           ? say("; scaled up from %s calls", plain_number(row->r.calls))
                           : ""));
    if (!isnan(row->synced_us))
        item(to->page,
             say("Latency, waiting for every call, as the original journal did: %s, %s over the "
                 "reference, %s of the fastest read waited for",
                 in_seconds(row->synced_us / 1000), measured(row->synced_speedup, 2, "x"),
                 measured(100 * row->synced_fraction, 3, " %")));
    item(to->page, say("Speedup over the reference: %s; over the step before: %s",
                       measured(row->speedup, 2, "x"), over_previous(to, row)));
    item(to->page,
         say("%s: %s of the roof (the fastest read measured)", measured(row->r.gbps, 4, " GB/s"),
             measured(100 * row->r.roof_fraction, 3, " %")));
}

static void write_results(struct writing *to, const struct row *row) {
    const struct row *predicted = predicted_row(to, row->r.step);
    bool here = is_here(&to->of, row);
    heading(to->page, 3, "Results");
    item(to->page, say("Verdict: %s", verdict_shown(row)));
    if (!has_verdict(row, "pass") && *row->r.detail) /* a block of code within a list */
        as_it_is(to->page, say("      %s\n", replaced(row->r.detail, "\n", "\n      ")));
    if (here && !isnan(row->seconds))
        write_times(to, row);
    else if (to->any_time)
        item(to->page, here ? "Time: not measured"
                            : say("Time: not measured on %s with this source", to->of.device));
    if (predicted)
        item(to->page, say("Predicted for %s, %s, not measured: %s; from %s",
                           predicted->r.predicted_gpu, predicted_size(predicted),
                           predicted_of_row(predicted), predicted->r.predicted_with));
    if (!isnan(row->gtx680_seconds))
        item(to->page,
             say("The original journal, on its %s: %s seconds, %sx over its CPU", gtx680("name"),
                 gtx680_text(row->r.step), significant(row->gtx680_speedup, 3)));
}

/* A file without a name: what diff reads as /dev/fd/N. */
static int file_of(const char **line) {
    int file = memfd_create("lines", 0);
    for (; *line; line++)
        dprintf(file, "%s\n", *line);
    return file;
}

/* What changes, as `diff -U 3` shows it: each line begins with ' ', '-' or '+', and "@@" stands
 * where lines are left out. NULL where little of `new` was in `old`, so that the whole is shorter
 * to read. */
static const char **lines_changed(const char **old, const char **new) {
    int one = file_of(old), other = file_of(new);
    FILE *diff = popen(say("diff -d -U 3 /dev/fd/%d /dev/fd/%d", one, other), "r");
    const char **shown = NULL;
    char *line = NULL;
    size_t room = 0, count = 0, added = 0, news = count_lines(new);
    ssize_t length;
    for (int number = 0; diff && (length = getline(&line, &room, diff)) > 0; number++) {
        line[length - 1] = '\0';
        added += number >= 2 && *line == '+';
        if (number >= 2 && (*line != '@' || atoi(line + strlen("@@ -")) > 1))
            append(shown, count, *line == '@' ? "@@" : say("%s", line));
    }
    append(shown, count, NULL);
    free(line);
    bool is_told = diff && WEXITSTATUS(pclose(diff)) <= 1;
    close(one);
    close(other);
    return is_told && 2 * (news - added) >= news ? shown : NULL;
}

/* The first step's whole, and of each later one what changes. */
static void write_source(struct writing *to, const struct row *row) {
    const char *name = say("%s/%s.cu", row->r.step, to->problem);
    const char **source = source_lines(say("%s/%s", labs_directory(), name), false);
    const char **changed = to->before ? lines_changed(to->before_source, source) : NULL;
    if (!*source)
        return;
    if (changed)
        heading(to->page, 3, say("Source: %s, what changes from %s", code(name), code(to->before)));
    else
        heading(to->page, 3, say("Source: %s", code(name)));
    as_it_is(to->page, changed ? "~~~~~~~~ {.diff}" : "~~~~~~~~ {.cpp}");
    for (const char **line = changed ? changed : source; *line; line++)
        as_it_is(to->page, *line);
    as_it_is(to->page, "~~~~~~~~\n");
    to->before = row->r.step;
    to->before_source = source;
    if (!is_of_this_source(row))
        as_it_is(to->page, "**This source has changed since the results above were measured.** "
                           "Grade again, then make the journal again.\n");
}

static void write_step(struct writing *to, const struct row *row) {
    const char *step = row->r.step, *title = step_header(step, "title");
    const char *idea = step_header(step, "idea");
    heading(to->page, 2,
            say("Optimization %s: %s", plain_number(atof(step + strcspn(step, "0123456789"))),
                *title ? with_marks(title) : step));
    as_it_is(to->page, say("*%s*%s%s\n", printable(step), is_written(idea) ? ": " : "",
                           is_written(idea) ? idea : ""));
    write_words(to, step);
    write_results(to, row);
    write_source(to, row);
}

/* ---- the journal ------------------------------------------------------------------------------ */

static void write_purpose(const struct writing *to) {
    const char *submission = to->journal->submission;
    heading(to->page, 1, say("Lab journal%s%s", *submission ? ": " : "", submission));
    heading(to->page, 2, "Purpose");
    paragraph(to->page,
              "One kernel is made faster step by step. For each step this journal holds "
              "its goal, the difficulties, the time spent, what was seen, and what it "
              "measured. It begins with the shortest time that the memory allows, so that "
              "every step can be held against it.");
    paragraph(to->page,
              say("For each step, the results and charts come from its newest grading; "
                  "the words come from each step's %s. All times are for 1000 iterations "
                  "unless said otherwise. Each step's goal is the lab's, as handed out, and "
                  "figures of the original journal of 2017 are called so; all else is "
                  "this journal's own.",
                  code("step.md")));
}

static void write_problem(struct writing *to, const char *problem) {
    to->problem = problem;
    to->before = NULL;
    to->of = choose_members(to->journal, problem);
    look_at_times(to);
    const struct list *rows = &to->of.rows, *steps = &to->of.steps;
    if (to->journal->problems > 1)
        heading(to->page, 1, problem);
    write_machine(to);
    if (!isnan(FIRST(rows, r.roof_gbps)) || !isnan(FIRST(rows, device.spec_gbps)))
        write_roof(to);
    if (!isnan(FIRST(rows, reference)) && to->any_time)
        write_reference(to);
    write_overview(to);
    foreach (row, steps)
        if (!has_verdict(row, "not-started"))
            write_step(to, row);
}

/* --drawn (the folder of charts), --note (what report/plot said), then as view_journal_records. */
int view_journal(int count, char **words) {
    struct journal journal = {.rows = {.quiet = true}}; /* that one has said what is wrong */
    journal.drawn = take_text("drawn", &count, &words);
    journal.note = take_text("note", &count, &words);
    read_journal(&journal, count, words);
    struct writing to = {.journal = &journal, .page = new_page()};
    write_purpose(&to);
    for (size_t p = 0; p < journal.problems; p++)
        write_problem(&to, journal.problem[p]);
    write_page(to.page, MARKDOWN, stdout);
    return journal.rows.status;
}
