/* The results of a grading: report/table as text, report/index as a page with charts. */
#include "results.h"

#include <math.h>
#include <string.h>

#include "lib/counters.h"
#include "lib/steps.h"
#include "views.h"

/* A step may stand on several inputs: it has passed if all its rows say so. One that nobody has
 * begun is not among `steps`. */
struct results {
    struct list begun;
    size_t steps, passed, intended; /* intended: passed, since it is wrong as it is meant to be */
    const char *waiting;            /* the steps that nobody has begun */
    size_t not_started;
};

static void count_step(struct results *results, const struct list *inputs) {
    bool passed = true, intended = false;
    foreach (row, inputs) {
        passed = passed && row->success;
        intended = intended || !has_verdict(row, "pass");
    }
    results->steps++;
    results->passed += passed;
    results->intended += passed && intended;
}

static struct results results_of(const struct list *list) {
    struct results results = {.waiting = ""};
    struct list steps = {0};
    foreach (row, list) {
        if (has_verdict(row, "not-started")) {
            results.waiting = say("%s %s", results.waiting, short_name(row->r.step));
            results.not_started++;
            continue;
        }
        list_row(&results.begun, row);
        if (is_step(row))
            list_row(&steps, row);
    }
    struct lists each = group_rows(&steps, "submission step");
    for (size_t i = 0; i < each.count; i++)
        count_step(&results, &each.list[i]);
    return results;
}

/* "3 of 4 steps passed, 1 of them wrong as intended, 2 not started" */
static const char *passed_in_words(const struct results *results) {
    return say("%zu of %zu steps passed%s%s", results->passed,
               results->steps + results->not_started,
               results->intended ? say(", %zu of them wrong as intended", results->intended) : "",
               results->not_started ? say(", %zu not started", results->not_started) : "");
}

/* "NVIDIA H200, driver 580.95, 132 multiprocessors, L2 60.0 MiB", as far as a row knows it. */
static const char *device_line(const struct list *list) {
    const char *driver = FIRST_TEXT(list, device.driver), *name = FIRST_TEXT(list, device.name);
    double sms = FIRST(list, device.sms), l2 = FIRST(list, device.l2_bytes);
    if (same(FIRST_TEXT(list, device.kind), "cpu"))
        driver = ""; /* its record says "none" */
    return say("%s%s%s%s%s", otherwise(name, "unknown"), *driver ? ", driver " : "", driver,
               sms > 0 ? say(", %s multiprocessors", plain_number(sms)) : "",
               l2 > 0 ? say(", L2 %s MiB", significant(l2 / 1048576, 3)) : "");
}

/* ---- columns ------------------------------------------------------------------------------------ */

/* A column, which a table has where any of its rows knows that number: so many of the unit are one
 * of the field, and so many digits are shown: at most so many (-3), or those that percent() has
 * (0). */
enum { TIME, TIMES = 4 }; /* the first TIMES: a table of a GPU has them in any case */
#define KNOWN(field) offsetof(struct row, field)
static const struct figure {
    const char *title, *before, *unit;
    size_t known;
    int digits;
    double scale;
} figures[] = {
    {"us/call", "", "", KNOWN(us), 4, 1},
    {"speedup", "", "x", KNOWN(speedup), 2, 1},
    {"GB/s", "", "", KNOWN(r.gbps), 4, 1},
    {"% roof", "", "", KNOWN(r.roof_fraction), 0, 1},
    {"latency", "", "", KNOWN(synced_us), 4, 1},
    {"speedup", "", "x", KNOWN(synced_speedup), 2, 1},
    {"% roof", "", "", KNOWN(synced_fraction), 0, 1},
    {"mJ", "", "", KNOWN(joules), 4, 1000},
    {"W", "", "", KNOWN(watts), 3, 1},
    {"rel. error", "", "", KNOWN(r.error), -3, 1},
    {"predicted us", "~", "", KNOWN(predicted_us), 3, 1},
};
/* The last one is followed by what limits it. */
enum { FIGURES = sizeof figures / sizeof *figures, PREDICTED = FIGURES - 1 };

static const char *shown(const struct figure *figure, const struct row *of) {
    double value = number_at(of, figure->known) * figure->scale;
    if (isnan(value))
        return "-";
    const char *number = figure->digits > 0   ? significant(value, figure->digits)
                         : figure->digits < 0 ? say("%.*g", -figure->digits, value)
                                              : percent(value);
    return say("%s%s%s", figure->before, number, figure->unit);
}

/* ---- a table ----------------------------------------------------------------------------------- */

static const double beats = 1.02; /* of the measured roof: what two measurements of it differ by */

/* Of one submission, device, problem and input. */
struct group {
    struct list list; /* in the ladder's order */
    double calls;
    size_t scaled; /* how many times that are shown are scaled up */
    bool has[FIGURES];
};

static struct group group_of(struct list list) {
    struct group group = {.calls = FIRST(&list, r.iterations)};
    sort_rows(&list, "problem");
    group.list = list;
    group.calls = isnan(group.calls) ? 1000 : group.calls;
    for (size_t f = 0; f < FIGURES; f++)
        group.has[f] = (f < TIMES && list.count && !is_cpu(list.row[0])) ||
                       !isnan(first_number(&list, figures[f].known));
    return group;
}

static void put_notes(struct table *table, const struct row *of) {
    const char *reason = step_header(of->r.step, "beats-roof");
    if (!has_verdict(of, "pass") && *of->r.detail)
        row_note(table, of->r.detail);
    if (!has_verdict(of, "pass") && *of->r.diagnosis)
        row_note(table, of->r.diagnosis);
    if (*of->r.notes && !is_cpu(of))
        row_note(table, say("note: %s", of->r.notes));
    if (is_step(of) && of->r.roof_fraction > beats)
        row_note(table, say("note: faster than reading everything: %s",
                            otherwise(reason, "its step.md gives no reason")));
}

enum colour colour_of(const struct row *row) {
    return row->success                                                     ? GREEN
           : is_one_of(row->r.verdict, "flagged harness-error not-started") ? YELLOW
                                                                            : RED;
}

/* One row, and below it why it failed. */
static void put_record(struct table *table, struct group *group, const struct row *of) {
    bool scaled =
        !isnan(of->us) && (of->r.scaled == RECORD_TRUE || of->r.iterations != group->calls);
    group->scaled += scaled;
    put_row(table, step_shown(of), coloured(verdict_shown(of), colour_of(of)));
    for (size_t f = 0; f < FIGURES; f++)
        if (group->has[f])
            put(table, say("%s%s", shown(&figures[f], of), f == TIME && scaled ? "*" : ""));
    if (group->has[PREDICTED])
        put(table, unit_of(of->r.predicted_limit).words);
    put_notes(table, of);
}

/* Its steps, or its baselines. */
static void put_results(struct page *page, struct group *group, bool steps) {
    enum { MOST_NAME = 34 }; /* what 100 columns leave */
    struct table *table = new_table();
    bool any = false;
    table_column_of(table, steps ? "Step" : "Baseline (not a step)", LEFT, 0, MOST_NAME);
    table_column(table, "verdict", LEFT);
    for (size_t f = 0; f < FIGURES; f++)
        if (group->has[f])
            table_column(table, figures[f].title, RIGHT);
    if (group->has[PREDICTED])
        table_column(table, "limited by", LEFT);
    foreach (row, &group->list)
        if (is_step(row) == steps) {
            put_record(table, group, row);
            any = true;
        }
    if (any)
        put_table(page, table);
}

/* ---- the facts that stand once for the whole group, from whichever row knows them ---------------- */

static const char *input_line(const struct list *list) {
    const char *when = FIRST_TEXT(list, r.when);
    double rows = FIRST(list, r.rows), bytes = FIRST(list, r.bytes);
    return say("%s: %s%s%s%s%s", FIRST_TEXT(list, r.problem),
               otherwise(FIRST_TEXT(list, r.input), "unknown"),
               where_known(rows, say(", %s x %s", plain_number(rows),
                                     plain_number(FIRST(list, r.columns)))),
               isnan(bytes)  ? ""
               : bytes < 1e5 ? say(", %s a call", plural(bytes, "byte"))
                             : say(", %s MB a call", significant(bytes / 1e6, 4)),
               *when ? ", " : "", leading(when, 10));
}

static void put_roof(struct page *page, const char *label, const struct list *list, double gbps,
                     const char *what) {
    double us = ratio_of(FIRST(list, r.bytes), gbps) / 1e3;
    if (!isnan(us))
        fact(page, label,
             say("%s us a call at %s GB/s, %s", significant(us, 4), significant(gbps, 4), what));
}

static void put_facts(struct page *page, const struct list *list) {
    double idle = FIRST(list, idle_watts), reference = FIRST(list, reference);
    fact(page, "Device", device_line(list));
    fact(page, "Input", input_line(list));
    if (is_cpu(list->row[0])) {
        paragraph(page,
                  say("The cpu device is an emulation: it checks correctness and not speed.%s",
                      where_known(FIRST(list, predicted_us),
                                  say(" Times with a tilde are predicted for %s, not measured.",
                                      FIRST_TEXT(list, r.predicted_gpu)))));
        return;
    }
    if (!isnan(reference))
        fact(page, "Reference",
             say("%s us a call, one thread of %s", significant(1000 * reference, 4),
                 otherwise(FIRST_TEXT(list, r.machine), "the CPU")));
    put_roof(page, "Roof", list, FIRST(list, r.roof_gbps), "the fastest read measured");
    put_roof(page, "Specified", list, FIRST(list, device.spec_gbps), "as its makers say");
    if (!isnan(idle))
        fact(page, "Energy",
             say("mJ a call and W are the whole GPU's, which draws %s W where nothing "
                 "runs",
                 significant(idle, 3)));
}

/* ---- charts ----------------------------------------------------------------------------------- */

static void put_charts(struct page *page, const char *drawn, const char *address,
                       const char *problem) {
    static const char *const charts[][2] = {
        {"speedup", "Each step's speedup, and its share of the roof"},
        {"attempts", "Your attempts in their order: the time of a right answer, else the verdict"}};
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++) {
        const char *name = chart_name(charts[i][0], problem);
        if (file_text(say("%s/%s.svg", drawn, name)))
            image(page, say("%s%s.svg", address, name), say("%s: %s", problem, charts[i][1]));
    }
}

void put_group(struct page *page, const struct list *list, const char *drawn, const char *address) {
    const char *who = list->row[0]->r.submission, *problem = list->row[0]->r.problem;
    const char *whose = *who ? say("%s: ", who) : "";
    struct results results = results_of(list);
    struct group group = group_of(results.begun);
    if (results.begun.count)
        heading(page, 2, say("%s%s, input %s", whose, problem, FIRST_TEXT(list, r.input)));
    put_results(page, &group, true);
    if (results.not_started)
        paragraph(page,
                  say("%sNot started:%s.", results.begun.count ? "" : whose, results.waiting));
    if (!results.begun.count)
        return;
    if (drawn)
        put_charts(page, drawn, address, problem);
    put_results(page, &group, false);
    if (group.scaled)
        paragraph(page,
                  say("* too slow for %s calls: scaled up from fewer", plain_number(group.calls)));
    put_facts(page, list);
}

void explain_times(struct page *page, const struct list *list) {
    if (!isnan(FIRST(list, us)))
        paragraph(
            page,
            "A time is of one call, the median of its samples; only a right answer has one. "
            "us/call is throughput, of calls queued one behind the other; latency is the time "
            "in us of a call that is waited for. Behind each stand its speedup over one CPU "
            "thread, and its share of the roof, the fastest read measured, queued or waited "
            "for in the same way.");
}

/* Submissions stay in the order of their records; within each, its ladders have their own. */
void put_groups(struct page *page, const struct list *list, const char *drawn) {
    struct lists submissions = group_rows(list, "submission");
    struct map shown = {0};
    for (size_t s = 0; s < submissions.count; s++) {
        sort_rows(&submissions.list[s], "problem device");
        struct lists groups = group_rows(&submissions.list[s], "device problem input");
        for (size_t g = 0; g < groups.count; g++) {
            bool first = is_new(&shown, groups.list[g].row[0]->r.problem);
            put_group(page, &groups.list[g], first ? drawn : NULL, "");
        }
    }
    explain_times(page, list);
}

int view_table(int count, char **words) {
    struct rows rows = {.flagged = true};
    struct page *page = new_page();
    page->columns = 100;
    page->spaced = true;
    page->colour = shows_colour();
    rows_of(&rows, words, count);
    struct list list = all_rows(&rows);
    struct results results = results_of(&list);
    put_groups(page, &list, NULL);
    paragraph(page, passed_in_words(&results));
    write_page(page, TEXT_PAGE, stdout);
    return rows.status;
}

/* "✓ opt01 ✗ opt05": it does not need colours. */
static const char *verdicts_in_short(const struct list *list) {
    struct text line = {0};
    foreach (row, list)
        if (is_step(row))
            add(&line, "%s%s %s", line.length ? "  " : "", verdict_of(row->r.verdict)->sign,
                short_name(row->r.step));
    return bytes_of(&line);
}

/* The file, and the folder: where the charts are, and the page will be. */
int view_index(int count, char **words) {
    struct rows rows = {.flagged = true, .quiet = true}; /* report/plot has said what is wrong */
    struct page *page = new_page();
    if (count != 2)
        return 2;
    rows_of(&rows, words, 1);
    struct list list = all_rows(&rows);
    struct results results = results_of(&list);
    page->title = "Results";
    heading(page, 1, "Results");
    paragraph(page, say("%s.", passed_in_words(&results)));
    if (results.begun.count <= 60) /* one student's */
        paragraph(page, verdicts_in_short(&results.begun));
    put_groups(page, &list, words[1]);
    write_page_to(page, HTML, say("%s/index.html", words[1]));
    return rows.status;
}
