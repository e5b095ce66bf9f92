#include <fnmatch.h>
#include <math.h>

#include "journal.h"
#include "views.h"

static bool is_asked_for(const struct journal *journal, const char *step) {
    return !*journal->pattern || fnmatch(journal->pattern, step, FNM_EXTMATCH) == 0;
}

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

static bool any_is_asked_for(const struct journal *journal, const struct list *rows) {
    foreach (row, rows)
        if (is_step(row) && is_asked_for(journal, row->r.step))
            return true;
    return false;
}

/* The steps of each, ladder by ladder. */
static struct lists find_problems(const struct journal *journal) {
    struct list steps = {0};
    foreach (row, &journal->rows)
        if (is_step(row) && same(row->r.submission, journal->submission))
            list_row(&steps, row);
    sort_rows(&steps, "problem");
    return group_rows(&steps, "problem");
}

/* Those with steps that were asked for; without a pattern the first begun, or the first. */
static void choose_problems(struct journal *journal) {
    struct lists known = find_problems(journal);
    size_t count = known.count, first = 0;
    while (first < count && !any_is_started(&known.list[first]))
        first++;
    first = first < count ? first : 0;
    for (size_t i = 0; i < count; i++)
        if (*journal->pattern ? any_is_asked_for(journal, &known.list[i]) : i == first)
            append(journal->problem, journal->problems, known.list[i].row[0]->r.problem);
        else
            journal->others |= any_is_started(&known.list[i]);
}

void read_journal(struct journal *journal, int count, char **words) {
    journal->pattern = take_text("steps", &count, &words);
    journal->rows.newest = true;
    rows_of(&journal->rows, words, count);
    struct list all = all_rows(&journal->rows);
    if (*journal->pattern && !same(journal->pattern, "*") && !any_is_asked_for(journal, &all))
        give_up(2, say("no step with a result matches '%s'", journal->pattern));
    choose_submission(journal);
    choose_problems(journal);
    const char *files = "";
    for (int i = 0; i < count && !journal->problems; i++)
        files = say("%s%s%s", files, i ? " " : "", words[i]);
    if (!journal->problems)
        give_up(2, say("%s: no %s", files, journal->others ? "such steps" : "records"));
}

/* ---- rows ------------------------------------------------------------------------------------- */

static const char *setting_of(const struct row *row) {
    return key_of(row, "device input rows columns");
}

bool is_here(const struct members *members, const struct row *row) {
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
        if (same(row->r.submission, journal->submission) && same(row->r.problem, problem) &&
            (!is_step(row) || is_asked_for(journal, row->r.step)))
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
    members->input = row->r.input;
}

static void take_member(struct members *members, struct row *row) {
    struct row **newest = is_step(row) ? (struct row **)find(&members->newest, row->r.step) : NULL;
    if (!is_here(members, row) || (newest && !same_source(row, *newest)))
        return;
    list_row(&members->rows, row);
    if (newest && (*newest)->success)
        *newest = row;
}

struct members choose_members(const struct journal *journal, const char *problem) {
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
