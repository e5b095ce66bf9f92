/* What class/points, class/points --rubric and class/near-boundary print, and grading asks. */
#include "views.h"

#include "lib/steps.h"
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
        if (class.assignment->total || *one->late.how)
            printf("  grade: %s\n", printable(grade_in_words(&class, one)));
        for (const struct grade *grade = one->grade; grade->step; grade++)
            print_step(grade);
        putchar('\n');
    }
    printf("#N: line N of %s. Maximum: what the rubric gives for the steps that count.\n",
           printable(words[count - 1]));
    return class.status;
}

/* ---- steps that are measured again ---------------------------------------------------------------- */

/* What two measurements of a step may differ by. */
static bool is_near(double ratio, double at) {
    double near = 1.05;
    return ratio <= at * near && ratio >= at / near;
}

/* Of two measurements the faster counts: who has full points gains nothing by a second. */
static bool decides_by_little(const struct grade *grade) {
    const double full = (double)grade->worth[FULL] / POINT;
    return same(grade->verdict, "pass") && !*grade->basis && grade->speed_max > 0 &&
           grade->passes < 2 && grade->ratio > full &&
           (is_near(grade->ratio, full) || is_near(grade->ratio, no_speed_from(grade)));
}

int view_near_boundary(int count, char **words) {
    struct class class = read_class(words[count - 1]);
    for (const struct submission *one = class.submission; one->name; one++)
        for (const struct grade *grade = one->grade; grade->step; grade++)
            if (decides_by_little(grade))
                printf("%s\t%s\n", row_text(one->name), row_text(grade->step));
    return class.status;
}

/* ---- the rubric --------------------------------------------------------------------------------- */

static void print_worth(const char *step, const amount *worth) {
    const char *full = "-", *none = "-";
    if (is_handed_out_whole(step)) {
        printf("%-28s handed out complete: worth no points\n", step);
        return;
    }
    if (worth[SPEED] > 0) {
        full = say("%sx", amount_text(worth[FULL]));
        none = worth[NONE] == BEFORE ? "before" : say("%sx", amount_text(worth[NONE]));
    }
    printf("%-28s %8s %8s %8s %8s %8s %8s %8s %12s %9s%s\n", step, amount_text(worth[CORRECT]),
           amount_text(worth[SPEED]), full, none, amount_text(worth[HAZARD]),
           amount_text(worth[PARTIAL]), amount_text(worth[IDEA]), amount_text(worth[NOT_STARTED]),
           worth[PREDICTED] ? "counts" : "-", worth[LATENCY] ? "  by latency" : "");
}

int view_rubric(int count, char **words) {
    const struct assignment *assignment = read_assignment(setting("ASSIGNMENT"));
    struct rubric rubric = rubric_of(assignment);
    size_t steps;
    const char **step = (const char **)all_steps(&steps);
    int status = 0;
    (void)count, (void)words;
    sort_texts(step, steps);
    printf("%-28s %8s %8s %8s %8s %8s %8s %8s %12s %9s\n", "step", "correct", "speed", "full at",
           "none at", "hazard", "partial", "idea", "not-started", "predicted");
    for (size_t i = 0; i < steps; i++) {
        const amount *worth = worth_of(&rubric, step[i]);
        if (is_assigned(assignment, step[i]))
            print_worth(printable(step[i]), worth);
    }
    for (size_t i = 0; i < rubric.rules; i++)
        if (!rubric.rule[i].used) {
            remark(rubric.rule[i].where, say("'%s' fits no step", rubric.rule[i].pattern));
            status = 2;
        }
    return status;
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
    for (size_t i = 0; i < rows.count; i++)
        if (is_step(rows.row[i]))
            *find(&last, say("%s %s", who_of(rows.row[i]), rows.row[i]->r.step)) = rows.row[i];
    for (const char **line = lines_of_file(words[0]); *line; line++) {
        const struct row *row = *find(&last, *line);
        if (!row || !row->success)
            printf("%s %s\n", *line, row ? row->r.verdict : "harness-error");
    }
    return rows.status;
}
