/* What class/points prints, and grading asks. */
#include "views.h"

#include "facts.h"

/* ---- the table of points ------------------------------------------------------------------------ */

static void print_step(const struct grade *grade) {
    printf("  %s%s of %s", pad(printable(grade->step), 26), lpad(points(points_of(grade)), 5),
           pad(points(maximum_of(grade)), 4));
    if (grade->row)
        printf("  #%zu", grade->row->line);
    if (grade->ours)
        printf(", ours #%zu", grade->ours->line);
    printf("\n      %s\n", printable(grade->how));
}

int view_points(int count, char **words) {
    struct class class = read_class(words[count - 1]);
    for (const struct submission *one = class.submission; one->name; one++) {
        printf("%s %s\n", pad(printable(one->name), 24), total_in_words(one));
        if (class.assignment->fact[TOTAL].number || *one->late.how)
            printf("  grade: %s\n", printable(grade_in_words(&class, one)));
        for (const struct grade *grade = one->grade; grade->step; grade++)
            print_step(grade);
        putchar('\n');
    }
    printf("#N: line N of %s. Maximum: what the rubric gives for the steps that count.\n",
           printable(words[count - 1]));
    return class.status;
}

/* ---- what is worth something else by now --------------------------------------------------------- */

static struct map read_paid(const char *path) {
    struct map paid = {0};
    for (const char **line = lines_of_file(path); *line; line++) {
        struct words cells = pieces_of(*line, "\t");
        if (cells.count == 3)
            *find(&paid, say("%s\t%s", cells.word[0], cells.word[1])) = (void *)cells.word[2];
    }
    return paid;
}

static void tell_change(struct map *paid, const char *who, const char *what, const char *worth,
                        const char *how, struct text *now) {
    const char *at = say("%s\t%s", row_text(who), row_text(what)), *before = *find(paid, at);
    if (before && !same(before, worth))
        printf("%s %s: %s, was %s: %s\n", printable(who), printable(what), worth, printable(before),
               printable(how));
    add(now, "%s\t%s\n", at, worth);
}

/* Where the steps are others: everybody's grade is out of other points. */
static void tell_steps(const char *path, const struct class *class) {
    const char **line = lines_of_file(path);
    struct map known = {0}, before = {0};
    const bool is_there = file_text(path);
    for (size_t s = 0; s < class->steps; s++)
        is_new(&known, class->step[s]);
    is_new(&known, "lateness");
    for (; *line; line++) {
        const struct words cells = pieces_of(*line, "\t");
        const char *what = word_of(&cells, 1);
        if (cells.count != 3)
            continue;
        is_new(&before, what);
        if (is_new(&known, what))
            printf("everybody %s: it counts no longer\n", printable(what));
    }
    for (size_t s = 0; is_there && s < class->steps; s++)
        if (is_new(&before, class->step[s]))
            printf("everybody %s: it counts now\n", printable(class->step[s]));
}

/* FILE RESULTS.jsonl: whose points are others than when the file was written, from what to what,
 * and why; then it holds those of now: a line for each submission and step, and for its lateness.
 */
int view_changes(int count, char **words) {
    if (count != 2)
        give_up(2, "needs the file of points, and RESULTS.jsonl");
    struct class class = read_class(words[1]);
    struct map paid = read_paid(words[0]);
    struct text now = {0};
    tell_steps(words[0], &class);
    for (const struct submission *one = class.submission; one->name; one++) {
        for (const struct grade *grade = one->grade; grade->step; grade++)
            tell_change(&paid, one->name, grade->step, worth_in_words(grade), grade->how, &now);
        tell_change(&paid, one->name, "lateness", say("%s %% less", amount_text(one->late.percent)),
                    one->late.how, &now);
    }
    write_file(words[0], bytes_of(&now));
    return class.status;
}

/* ---- steps that have not succeeded ---------------------------------------------------------------- */

/* Submissions by their names; this tree's own as "-" and the GPU. */
static const char *who_of(const struct row *row) {
    return otherwise(row->r.submission, say("-%s", otherwise(row->device.uuid, "cpu")));
}

/* WANTED RESULTS.jsonl: of the pairs WHO STEP in a file those whose last record is neither a pass
 * nor what the step is there to show, each with its verdict. A step without a record counts as a
 * harness-error. */
int view_unsuccessful(int count, char **words) {
    if (count != 2)
        give_up(2, "needs the file of pairs, and RESULTS.jsonl");
    struct rows rows = {.all = true};
    struct map last = {0};
    read_rows(&rows, words[1]);
    finish_rows(&rows);
    foreach (row, &rows) {
        if (is_step(row))
            *find(&last, say("%s %s", who_of(row), row->r.step)) = row;
    }
    for (const char **line = lines_of_file(words[0]); *line; line++) {
        const struct row *row = *find(&last, *line);
        if (!row || !row->success)
            printf("%s %s\n", *line, row ? row->r.verdict : "harness-error");
    }
    return rows.status;
}
