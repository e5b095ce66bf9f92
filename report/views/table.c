/* report/table: the records of a grading, a table per submission, device, problem and input. */
#include <math.h>

#include "lib/steps.h"
#include "results.h"
#include "views.h"

/* ---- the facts that stand once for the whole table, from whichever row knows them --------------- */

static const char *input_line(const struct list *list) {
    const char *input = FIRST_TEXT(list, r.input), *when = FIRST_TEXT(list, r.when);
    double rows = FIRST(list, r.rows), bytes = FIRST(list, r.bytes);
    return say("%s: %s%s%s%s%s", FIRST_TEXT(list, r.problem), otherwise(input, "input unknown"),
               where_known(rows, say(", %s x %s", plain_number(rows),
                                     plain_number(FIRST(list, r.columns)))),
               isnan(bytes)  ? ""
               : bytes < 1e5 ? say(", %s a call", plural(bytes, "byte"))
                             : say(", %s MB a call", significant(bytes / 1e6, 4)),
               *when ? ", " : "", leading(when, 10));
}

/* On processors that others use, too, it says how far the speedups can be trusted. The latest
 * counts, as in report/rows. */
static const char *interval_of_reference(const struct group *group) {
    const struct row *of = NULL;
    foreach (row, &group->list)
        if (same(row->r.kind, "baseline") && begins_with(row->r.step, "reference"))
            of = row;
    return of && of->us_high > of->us_low
               ? say("; 95 %% between %s and %s", significant(of->us_low / 1e6 * group->calls, 4),
                     significant(of->us_high / 1e6 * group->calls, 4))
               : "";
}

static void add_time(struct page *page, const char *label, const struct group *group,
                     double seconds, const char *what) {
    fact(page, label,
         isnan(seconds) ? say("not measured (%s)", what)
                        : say("%s s for %s iterations (%s)", lpad(significant(seconds, 4), 8),
                              plain_number(group->calls), what));
}

static double roof_seconds(const struct group *group, double gbps) {
    return ratio_of(FIRST(&group->list, r.bytes) * group->calls, gbps * 1e9);
}

static void add_header(struct page *page, const struct group *group) {
    const struct list *list = &group->list;
    double measured = FIRST(list, r.roof_gbps), specified = FIRST(list, device.spec_gbps);
    if (*FIRST_TEXT(list, r.submission))
        fact(page, "Submission", FIRST_TEXT(list, r.submission));
    fact(page, "Device", device_line(list));
    fact(page, "Input", input_line(list));
    if (group->is_cpu)
        return;
    add_time(page, "Reference", group, FIRST(list, reference) / 1000 * group->calls,
             say("one CPU thread%s", interval_of_reference(group)));
    add_time(page, "Roof", group, roof_seconds(group, measured),
             say("the fastest read measured, %s GB/s", significant(measured, 4)));
    add_time(page, "", group, roof_seconds(group, specified),
             say("the device's specified %s GB/s", significant(specified, 4)));
}

static void add_group(struct page *page, struct list rows) {
    struct group group = group_of(rows, false);
    const struct list *list = &group.list;
    double idle = FIRST(list, idle_watts);
    add_header(page, &group);
    put_results(page, &group, true);
    put_results(page, &group, false);
    if (!isnan(FIRST(list, r.roof_fraction)))
        paragraph(page,
                  "us/call: throughput, of calls queued back to back; its roof is the fastest "
                  "read of the input that was measured");
    if (!isnan(FIRST(list, synced_us)))
        paragraph(page, "latency: us of a call that is waited for, as the original journal "
                        "measured; its roof is the fastest read waited for");
    if (!isnan(FIRST(list, joules)))
        paragraph(page, say("mJ: energy of a call, the whole GPU's%s",
                            where_known(idle, say("; it draws %s W where nothing runs",
                                                  significant(idle, 3)))));
    explain_scaled(page, &group);
    if (group.is_cpu)
        paragraph(page, say("%s%s", cpu_has_no_speed,
                            where_known(FIRST(list, predicted_us),
                                        " Predicted times are listed by: make ladder")));
}

static int by_ladder(const void *a, const void *b) {
    return ladder_place(((const struct row *)a)->r.problem) -
           ladder_place(((const struct row *)b)->r.problem);
}

/* Submissions stay in the order of their records; within each, its ladders have their own. */
int view_table(int count, char **words) {
    struct rows rows = {.flagged = true};
    struct page *page = new_page();
    page->columns = 100;
    page->gap = 0; /* the columns' widths hold it */
    page->spaced = true;
    page->label_width = 11;
    page->colour = shows_colour();
    rows_of(&rows, words, count);
    struct list list = all_rows(&rows);
    struct results results = results_of(&list);
    struct lists submissions = group_rows(&results.begun, "submission");
    for (size_t s = 0; s < submissions.count; s++) {
        list = submissions.list[s];
        sort_stably(list.row, list.count, by_ladder);
        struct lists groups = group_rows(&list, "device problem input");
        for (size_t g = 0; g < groups.count; g++)
            add_group(page, groups.list[g]);
    }
    if (results.not_started) {
        paragraph(page,
                  say("not started: %s", steps_in_short(results.waiting, results.not_started)));
        results.steps += results.not_started;
    }
    paragraph(page, say("%s%s", passed_in_words(&results),
                        results.not_started ? say(", %zu not started", results.not_started) : ""));
    write_page(page, TEXT_PAGE, stdout);
    return rows.status;
}
