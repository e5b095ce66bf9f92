#include <math.h>

#include "journal.h"
#include "views.h"

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

void read_journal(struct journal *journal, int count, char **words) {
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
