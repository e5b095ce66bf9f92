#include "results.h"

#include <math.h>

#include "lib/steps.h"

const char cpu_has_no_speed[] =
    "The cpu device is an emulation: it checks correctness and not speed.";

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

struct results results_of(const struct list *list) {
    struct results results = {0};
    struct list steps = {0};
    foreach (row, list) {
        if (has_verdict(row, "not-started")) {
            append(results.waiting, results.not_started, row->r.step);
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

const char *passed_in_words(const struct results *results) {
    return say("%zu of %zu steps passed%s", results->passed, results->steps,
               results->intended ? say(", %zu of them wrong as intended", results->intended) : "");
}

const char *device_line(const struct list *list) {
    const char *driver = FIRST_TEXT(list, device.driver), *name = FIRST_TEXT(list, device.name);
    double sms = FIRST(list, device.sms), l2 = FIRST(list, device.l2_bytes);
    if (same(FIRST_TEXT(list, device.kind), "cpu"))
        driver = ""; /* its record says "none" */
    return say("%s%s%s%s%s", otherwise(name, "unknown"), *driver ? ", driver " : "", driver,
               sms > 0 ? say(", %s multiprocessors", plain_number(sms)) : "",
               l2 > 0 ? say(", L2 %s MiB", significant(l2 / 1048576, 3)) : "");
}

/* ---- columns ------------------------------------------------------------------------------------ */

static const char *us(const struct row *of) { return significant(of->us, 4); }
static const char *speedup(const struct row *of) { return with_unit(of->speedup, 2, "x"); }
static const char *gbps(const struct row *of) { return significant(of->r.gbps, 4); }
static const char *of_roof(const struct row *of) { return percent(of->r.roof_fraction); }
static const char *latency(const struct row *of) { return significant(of->synced_us, 4); }
static const char *its_speedup(const struct row *of) {
    return with_unit(of->synced_speedup, 2, "x");
}
static const char *of_its_roof(const struct row *of) { return percent(of->synced_fraction); }
static const char *energy(const struct row *of) { return significant(1000 * of->joules, 4); }
static const char *watts(const struct row *of) { return significant(of->watts, 3); }
static const char *predicted(const struct row *of) {
    return isnan(of->predicted_us) ? "-" : say("~%s", significant(of->predicted_us, 3));
}

static const char *error_shown(const struct row *of) {
    return isnan(of->r.error) ? "-" : say("%.3g", of->r.error);
}

/* A column, which a table has where any of its rows knows that number. */
enum { TIME, TIMES = 4 }; /* the first TIMES: a table of a GPU has them in any case */
#define KNOWN(field) offsetof(struct row, field)
static const struct figure {
    const char *title; /* the page's */
    const char *brief; /* report/table's, and how wide it is there; 0: only the page has it */
    size_t width, known;
    const char *(*shown)(const struct row *of);
} figures[FIGURES] = {
    {"us a call", "us/call ", 10, KNOWN(us), us},
    {"speedup", "speedup", 8, KNOWN(speedup), speedup},
    {"GB/s", "GB/s", 8, KNOWN(r.gbps), gbps},
    {"% of the roof", "% roof", 8, KNOWN(r.roof_fraction), of_roof},
    {"latency, us", "latency", 9, KNOWN(synced_us), latency},
    {"its speedup", "speedup", 8, KNOWN(synced_speedup), its_speedup},
    {"its % of the roof", "% roof", 8, KNOWN(synced_fraction), of_its_roof},
    {"mJ a call", "mJ", 8, KNOWN(joules), energy},
    {"W", "", 0, KNOWN(joules), watts},
    {"relative error", "rel. error", 11, KNOWN(r.error), error_shown},
    {"us a call, predicted, not measured", "", 0, KNOWN(predicted_us), predicted},
};

/* ---- a table ----------------------------------------------------------------------------------- */

static const double beats = 1.02; /* of the measured roof: what two measurements of it differ by */

struct group group_of(struct list list, bool for_page) {
    struct group group = {.name_room = 20, .for_page = for_page};
    sort_rows(&list, "problem");
    foreach (of, &list) {
        group.name_room = fmax(group.name_room, width(step_shown(of)));
        group.steps += is_step(of);
    }
    group.list = list;
    group.name_room = fmin(group.name_room, 34); /* what 100 columns leave */
    group.calls = FIRST(&list, r.iterations);
    group.calls = isnan(group.calls) ? 1000 : group.calls;
    group.is_cpu = list.count && is_cpu(list.row[0]);
    for (size_t f = 0; f < FIGURES; f++)
        group.has[f] =
            (for_page || figures[f].width) &&
            ((f < TIMES && !group.is_cpu) || !isnan(first_number(&list, figures[f].known)));
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

static enum colour colour_of(const struct row *of) {
    return of->success                                                      ? GREEN
           : has_verdict(of, "flagged") || has_verdict(of, "harness-error") ? YELLOW
                                                                            : RED;
}

/* One row, and below it why it failed. */
static void put_record(struct table *table, struct group *group, const struct row *of) {
    bool scaled =
        !isnan(of->us) && (of->r.scaled == RECORD_TRUE || of->r.iterations != group->calls);
    group->scaled += scaled;
    put_row(table, step_shown(of), coloured(verdict_shown(of), colour_of(of)));
    if (group->is_cpu && !group->for_page)
        put(table, "not measured");
    for (size_t f = 0; f < FIGURES; f++)
        if (group->has[f])
            put(table, say("%s%s", figures[f].shown(of),
                           f != TIME         ? ""
                           : scaled          ? "*"
                           : group->for_page ? ""
                                             : " "));
    put_notes(table, of);
}

void put_results(struct page *page, struct group *group, bool steps) {
    struct table *table = new_table();
    size_t i = steps ? 0 : group->steps, end = steps ? group->steps : group->list.count;
    if (i == end)
        return;
    table_column_of(table, steps ? "Step" : "Baseline (not a step)", LEFT, group->name_room + 2,
                    group->name_room);
    table_column_of(table, group->for_page ? "Verdict" : "verdict", LEFT, 16, 0);
    if (group->is_cpu && !group->for_page)
        table_column_of(table, "time", RIGHT, 14, 0);
    for (size_t f = 0; f < FIGURES; f++)
        if (group->has[f])
            table_column_of(table, group->for_page ? figures[f].title : figures[f].brief, RIGHT,
                            figures[f].width, 0);
    for (; i < end; i++)
        put_record(table, group, group->list.row[i]);
    put_table(page, table);
}

void explain_scaled(struct page *page, const struct group *group) {
    if (group->scaled)
        paragraph(page,
                  say("* too slow for %s calls: scaled up from fewer", plain_number(group->calls)));
}
