/* The lab journal in Markdown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chosen.h"
#include "lib/counters.h"
#include "lib/steps.h"
#include "lib/words.h"
#include "results.h"
#include "views.h"

struct writing {
    struct page *page;
    const struct chosen *of;
    const char *drawn;                   /* the folder of charts */
    const char *before, **before_source; /* the step before with a source, and its lines */
};

static const char *measured(double value, int digits, const char *unit) {
    return isnan(value) ? "not measured" : with_unit(value, digits, unit);
}

static bool is_here(const struct writing *to, const struct row *row) {
    return row && row_of(&to->of->rows, row->r.step) == row;
}

/* Over the step that this one builds on. */
static const char *over_previous(const struct writing *to, const struct row *row) {
    const char *before = step_header(row->r.step, "builds-on");
    if (same(before, "none"))
        return "it is the first";
    const struct row *other = row_of(&to->of->steps, before);
    return measured(is_here(to, other) ? ratio_of(other->us, row->us) : NAN, 3, "x");
}

/* As step.md has them. */
static const char *gtx680_text(const char *step) {
    return where_known(gtx680_seconds(step), step_header(step, "gtx680"));
}

static void write_overview(const struct writing *to) {
    struct list list = {0};
    foreach (row, &to->of->rows)
        list_row(&list, row);
    foreach (row, &to->of->steps)
        if (has_verdict(row, "not-started") && !is_here(to, row))
            list_row(&list, row);
    if (list.count)
        put_group(to->page, &list, to->drawn, "charts/");
    explain_times(to->page, &list);
}

/* ---- a step ----------------------------------------------------------------------------------- */

/* What was written below the header, as it stands. The task is left out, since a journal tells what
 * was done, and so is a heading with nothing below it. */
static void write_words(struct writing *to, const char *step) {
    size_t count;
    const struct section *section =
        read_sections(say("%s/%s/step.md", labs_directory(), step), &count);
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

static void write_results(const struct writing *to, const struct row *row) {
    const struct row *predicted = row_of(&to->of->predicted, row->r.step);
    bool here = is_here(to, row);
    heading(to->page, 3, "Results");
    item(to->page, say("Verdict: %s", verdict_shown(row)));
    if (!has_verdict(row, "pass") && *row->r.detail) /* a block of code within a list */
        as_it_is(to->page, say("      %s\n", replaced(row->r.detail, "\n", "\n      ")));
    if (here && !isnan(row->us)) {
        item(to->page, measured_in_words(row, false));
        if (!isnan(row->synced_us))
            item(to->page, latency_in_words(row));
        item(to->page, say("over the step before: %s", over_previous(to, row)));
    } else if (!here)
        item(to->page, say("Time: not measured on %s with this source", to->of->device));
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
    const char *name = say("%s/%s.cu", row->r.step, row->r.problem);
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

static void write_purpose(const struct writing *to, const char *submission) {
    heading(to->page, 1, say("Lab journal%s%s", *submission ? ": " : "", submission));
    heading(to->page, 2, "Purpose");
    paragraph(
        to->page,
        say("One kernel is made faster step by step. Each step's results come from its newest "
            "grading, its words from its %s; its goal is the lab's. Times are of one call, in "
            "us. The roof is the shortest time that the memory allows for reading all of the "
            "input, so that every step can be held against it.",
            code("step.md")));
}

static void write_problem(struct writing *to, const struct chosen *of, bool alone) {
    to->of = of;
    to->before = NULL;
    if (!alone)
        heading(to->page, 1, of->problem);
    write_overview(to);
    foreach (row, &of->steps)
        if (!has_verdict(row, "not-started"))
            write_step(to, row);
}

/* --drawn (the folder of charts), then all files. */
int view_journal(int count, char **words) {
    struct writing to = {.page = new_page(), .drawn = take_text("drawn", &count, &words)};
    struct rows rows = {.newest = true, .quiet = true}; /* report/plot has said what is wrong */
    size_t problems;
    rows_of(&rows, words, count);
    const struct chosen *chosen = choose_rows(&rows, &problems);
    if (!problems)
        give_up(2, say("'%s' holds no records of steps", words[0]));
    write_purpose(&to, chosen->steps.row[0]->r.submission);
    for (size_t p = 0; p < problems; p++)
        write_problem(&to, &chosen[p], problems == 1);
    write_page(to.page, MARKDOWN, stdout);
    return rows.status;
}
