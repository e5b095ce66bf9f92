/* report/index: charts and tables of a grading on a page. */
#include <math.h>

#include "lib/steps.h"
#include "lib/svg.h"
#include "results.h"
#include "views.h"

/* ---- a group: one submission, device, problem and input ---------------------------------------- */

static const char *speed_in_words(const struct list *list) {
    const struct row *best = fastest_step(list);
    if (best)
        return say("%s is the fastest, %s us a call%s", short_name(best->r.step),
                   significant(best->us, 4),
                   isnan(best->r.roof_fraction)
                       ? "."
                       : say(", %s %% of the roof.", percent(best->r.roof_fraction)));
    if (!is_cpu(list->row[0]))
        return "";
    return say("%s%s", cpu_has_no_speed,
               where_known(FIRST(list, predicted_us),
                           say(" Times with a tilde are predicted for %s, not measured.",
                               FIRST_TEXT(list, r.predicted_gpu))));
}

/* What it ran on, and what came out. */
static const char *group_in_words(const struct list *list) {
    struct results results = results_of(list);
    double sms = FIRST(list, device.sms);
    bool is_gpu = same(list->row[0]->device.kind, "gpu");
    return say(
        "%s%s, %s x %s elements, %s: %zu of %zu steps passed. %s", FIRST_TEXT(list, device.name),
        is_gpu && sms > 0 ? say(", %s multiprocessors", plain_number(sms)) : "",
        plain_number(FIRST(list, r.rows)), plain_number(FIRST(list, r.columns)),
        leading(FIRST_TEXT(list, r.when), 10), results.passed, results.steps, speed_in_words(list));
}

/* "✓ opt01 ✗ opt05": it does not need colours. */
static const char *verdicts_in_short(const struct list *list) {
    struct text line = {0};
    foreach (row, list)
        if (is_step(row) && !has_verdict(row, "not-started"))
            add(&line, "%s%s %s", line.length ? "  " : "", verdict_of(row->r.verdict)->sign,
                short_name(row->r.step));
    return bytes_of(&line);
}

/* --charts=NAMES --note=TEXT --results=NAME, the file, and the folder: where the
 * charts are, and the page will be. The results' name is the one that somebody typed. */
int view_index(int count, char **words) {
    struct rows rows = {.flagged = true};
    struct page *page = new_page();
    struct map drawn = {0};
    const char *charts = take_option("charts", &count, &words);
    const char *note = take_option("note", &count, &words);
    const char *named = take_option("results", &count, &words);
    if (count != 2 || !charts || !note || !named)
        return 2;
    rows_of(&rows, words, 1);
    struct list list = all_rows(&rows);
    struct results results = results_of(&list);
    page->title = "Results";
    heading(page, 1, "Results");
    paragraph(page, say("%s.", passed_in_words(&results)));
    if (results.begun.count <= 60) /* one student's */
        paragraph(page, verdicts_in_short(&results.begun));
    sort_rows(&list, "submission problem device");
    struct lists groups = group_rows(&list, "submission device problem input");
    for (size_t g = 0; g < groups.count; g++) {
        const struct list *group = &groups.list[g];
        const char *who = group->row[0]->r.submission, *problem = group->row[0]->r.problem;
        const char *of_whom = *who ? say("%s: ", who) : "";
        heading(page, 2, say("%s%s, input %s", of_whom, problem, FIRST_TEXT(group, r.input)));
        struct results begun = results_of(group);
        struct group of = group_of(begun.begun, true);
        put_results(page, &of, true);
        if (begun.not_started)
            paragraph(page,
                      say("Not started: %s.", steps_in_short(begun.waiting, begun.not_started)));
        if (is_new(&drawn, problem))
            put_charts(page, words[1], "", problem, charts);
        put_results(page, &of, false);
        explain_scaled(page, &of);
        paragraph(page, group_in_words(group));
    }
    paragraph(
        page,
        "A time is of one call, the median of its samples; only a right answer has one. Calls "
        "are queued one behind the other; latency is the time of a call that is waited for. "
        "The speedup is over one CPU thread, and the roof is the fastest read measured, "
        "queued or waited for in the same way.");
    paragraph(page, note);
    paragraph(page, say("All of this is made from the records in %s. The same table as text: "
                        "report/table %s.",
                        base_name(named), named));
    write_page_to(page, HTML, say("%s/index.html", words[1]));
    return rows.status;
}
