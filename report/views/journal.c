/* The lab journal in Markdown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/counters.h"
#include "lib/steps.h"
#include "lib/words.h"
#include "results.h"
#include "views.h"

/* Which results it holds. The rows are the newest of each step, problem, input, device and size. */
struct journal {
    struct rows rows;
    const char *drawn;      /* the folder of charts */
    const char *note;       /* what report/plot said */
    const char *submission; /* this tree's own, or the first one */
    const char **problem;   /* whose ladder was begun, in order */
    size_t problems;
};

/* Of one problem. The setting is the device, input and size that the journal is about: where most
 * steps have a time (or, where none has one, a result), and of several such the newest. */
struct members {
    const char *setting, *device;
    struct list rows; /* of steps and baselines there, in the ladder's order; of a step only where
                       * it is of the source that was graded last */
    /* The newest row of each step. Where the setting has one of the same source, and the newest
     * says nothing else, that one. No other device's times stand among the setting's. */
    struct list steps;
    struct map newest;    /* the same by name */
    struct map predicted; /* the newest with a predicted time of that source, by name */
};

/* ---- problems --------------------------------------------------------------------------------- */

static void choose_submission(struct journal *journal) {
    const char *first = NULL;
    foreach (row, &journal->rows) {
        const char *whose = row->r.submission;
        if (is_step(row) && (!first || !*whose)) /* baselines belong to nobody */
            first = whose;
    }
    journal->submission = first ? first : "";
}

static bool any_is_started(const struct list *steps) {
    foreach (row, steps)
        if (!has_verdict(row, "not-started"))
            return true;
    return false;
}

/* Of the steps' ladders, in order, those that were begun; the first, where none was. */
static void choose_problems(struct journal *journal) {
    struct list steps = {0};
    foreach (row, &journal->rows)
        if (is_step(row) && same(row->r.submission, journal->submission))
            list_row(&steps, row);
    sort_rows(&steps, "problem");
    struct lists ladders = group_rows(&steps, "problem");
    for (size_t i = 0; i < ladders.count; i++)
        if (any_is_started(&ladders.list[i]))
            append(journal->problem, journal->problems, ladders.list[i].row[0]->r.problem);
    if (!journal->problems && ladders.count)
        append(journal->problem, journal->problems, ladders.list[0].row[0]->r.problem);
}

static void read_journal(struct journal *journal, int count, char **words) {
    journal->rows.newest = true;
    rows_of(&journal->rows, words, count);
    choose_submission(journal);
    choose_problems(journal);
    if (!journal->problems)
        give_up(2, say("'%s' holds no records of steps", words[0]));
}

/* ---- rows ------------------------------------------------------------------------------------- */

static const char *setting_of(const struct row *row) {
    return key_of(row, "device input rows columns");
}

static bool is_here(const struct members *members, const struct row *row) {
    return same(setting_of(row), members->setting);
}

static bool same_source(const struct row *a, const struct row *b) {
    return a == b || (b && *a->r.source_sha256 && same(a->r.source_sha256, b->r.source_sha256));
}

/* Puts the row there unless that one tells more. */
static bool take_newer(void **held, struct row *row) {
    bool is_newer = tells_more(row, *held);
    if (is_newer)
        *held = row;
    return is_newer;
}

static struct list rows_of_problem(const struct journal *journal, const char *problem) {
    struct list list = {0};
    foreach (row, &journal->rows)
        if (same(row->r.submission, journal->submission) && same(row->r.problem, problem))
            list_row(&list, row);
    return list;
}

struct setting {
    void *newest;
    size_t count;
};

static void choose_setting(struct members *members, const struct list *list) {
    struct map settings = {0};
    const struct setting *best = &(struct setting){0};
    bool any_time = false;
    foreach (row, list)
        any_time |= is_step(row) && !isnan(row->us);
    foreach (row, list) {
        if (!is_step(row) || (any_time && isnan(row->us)))
            continue;
        struct setting *held = found(&settings, setting_of(row), sizeof *held);
        take_newer(&held->newest, row);
        if (++held->count > best->count ||
            (held->count == best->count && !is_older(held->newest, best->newest)))
            best = held;
    }
    const struct row *row = best->newest;
    members->setting = setting_of(row);
    members->device = row->device.name;
}

static void take_member(struct members *members, struct row *row) {
    struct row **newest = is_step(row) ? (struct row **)find(&members->newest, row->r.step) : NULL;
    if (!is_here(members, row) || (newest && !same_source(row, *newest)))
        return;
    list_row(&members->rows, row);
    if (newest && (*newest)->success)
        *newest = row;
}

static struct members choose_members(const struct journal *journal, const char *problem) {
    struct members members = {0};
    struct list list = rows_of_problem(journal, problem);
    foreach (row, &list)
        if (is_step(row))
            take_newer(find(&members.newest, row->r.step), row);
    choose_setting(&members, &list);
    foreach (row, &list)
        take_member(&members, row);
    foreach (row, &list)
        if (row == *find(&members.newest, row->r.step))
            list_row(&members.steps, row);
    sort_rows(&members.rows, "problem");
    sort_rows(&members.steps, "problem");
    foreach (row, &list) {
        const char *step = row->r.step;
        if (!isnan(row->predicted_us) && same_source(row, *find(&members.newest, step)))
            take_newer(find(&members.predicted, step), row);
    }
    return members;
}

/* ---- what charts show ------------------------------------------------------------------------- */

/* Of the device and size of the journal's figures, on every input, and only of sources that were
 * graded last; and predicted times of these. */
static bool is_drawn(struct members *members, const struct row *row) {
    const struct row *here = members->rows.count ? members->rows.row[0] : members->steps.row[0];
    if (row == *find(&members->predicted, row->r.step))
        return true;
    return (!is_step(row) || same_source(row, *find(&members->newest, row->r.step))) &&
           same(key_of(row, "device rows columns"), key_of(here, "device rows columns"));
}

/* The records that the journal's charts show. */
int view_journal_records(int count, char **words) {
    struct journal journal = {0};
    struct map files = {0};
    read_journal(&journal, count, words);
    for (size_t p = 0; p < journal.problems; p++) {
        struct members members = choose_members(&journal, journal.problem[p]);
        struct list list = rows_of_problem(&journal, journal.problem[p]);
        foreach (row, &list)
            if (is_drawn(&members, row))
                puts(record_of(&files, row));
    }
    return journal.rows.status;
}

/* ---- what is written -------------------------------------------------------------------------- */

struct writing {
    const struct journal *journal;
    struct page *page;
    const char *problem;
    struct members of;
    const char *before, **before_source; /* the step before with a source, and its lines */
};

static struct row *predicted_row(struct writing *to, const char *step) {
    return *find(&to->of.predicted, step);
}

static const char *measured(double value, int digits, const char *unit) {
    return isnan(value) ? "not measured" : with_unit(value, digits, unit);
}

static const char *in_seconds(double seconds) { return say("%s seconds", significant(seconds, 4)); }

/* Over the step that this one builds on. */
static const char *over_previous(struct writing *to, const struct row *row) {
    const char *before = step_header(row->r.step, "builds-on");
    if (same(before, "none"))
        return "it is the first";
    const struct row *other = *find(&to->of.newest, before);
    return measured(other && is_here(&to->of, other) ? ratio_of(other->us, row->us) : NAN, 3, "x");
}

/* As step.md has them. */
static const char *gtx680_text(const char *step) {
    return where_known(gtx680_seconds(step), step_header(step, "gtx680"));
}

/* Where nothing was measured here, the charts are of other machines, unless they have what was
 * predicted. */
static void write_overview(const struct writing *to) {
    struct list list = to->of.rows;
    struct pictures pictures = {to->journal->drawn, "charts/", NULL};
    bool has_times = !isnan(FIRST(&list, us)) || to->of.predicted.count;
    foreach (row, &to->of.steps)
        if (has_verdict(row, "not-started") && !is_here(&to->of, row))
            list_row(&list, row);
    if (list.count)
        put_group(to->page, &list, has_times ? &pictures : NULL);
    explain_times(to->page, &list);
    if (has_times)
        paragraph(to->page, to->journal->note);
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
    else if (!here)
        item(to->page, say("Time: not measured on %s with this source", to->of.device));
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
              "measured. The roof is the shortest time that the memory allows for reading all of "
              "the input, so that every step can be held against it.");
    paragraph(to->page,
              say("For each step, the results and charts come from its newest grading; "
                  "the words come from each step's %s. Times in tables are of one call, in us; "
                  "seconds are of 1000 iterations unless said otherwise. Each step's goal is "
                  "the lab's, as handed out, and figures of the original journal of 2017 are "
                  "called so; all else is this journal's own.",
                  code("step.md")));
}

static void write_problem(struct writing *to, const char *problem) {
    to->problem = problem;
    to->before = NULL;
    to->of = choose_members(to->journal, problem);
    if (to->journal->problems > 1)
        heading(to->page, 1, problem);
    write_overview(to);
    foreach (row, &to->of.steps)
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
