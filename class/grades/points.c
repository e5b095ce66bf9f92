#include "points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/steps.h"

struct rubric rubric_of(const struct assignment *assignment) {
    const char *path = setting("RUBRIC");
    return *path || !assignment->rubric.rules ? read_rubric(otherwise(path, "class/rubric"))
                                              : assignment->rubric;
}

/* ---- a person's decisions on flagged steps -------------------------------------------------------- */

struct flags {
    struct flag {
        const char *submission, *step, *decision, *reason, *where;
        bool used;
    } * flag;
    size_t count;
};

/* A line is SUBMISSION STEP[/HASH] clear|confirm REASON; a later one goes before an earlier one. */
static struct flags read_flags(const char *path) {
    struct flags flags = {0};
    for (const struct plain_line *line = plain_lines(path); line->text; line++) {
        struct words words = words_of(line->text);
        if (words.count < 4 || !is_one_of(words.word[2], "clear confirm"))
            bad_line(line->where,
                     say("'%s' is not: SUBMISSION STEP clear|confirm REASON", line->text));
        append(flags.flag, flags.count,
               (struct flag){words.word[0], words.word[1], words.word[2],
                             printable(joined(&words, 3, words.count)), line->where, false});
    }
    return flags;
}

static void apply_flags(struct flags *flags, struct grade *grade) {
    const char *source = say("%s/%s", grade->step, grade->row->r.source_sha256);
    for (size_t i = 0; i < flags->count; i++) {
        struct flag *flag = &flags->flag[i];
        if (same(flag->submission, grade->submission) &&
            (same(flag->step, grade->step) ||
             (strchr(flag->step, '/') && begins_with(source, flag->step)))) {
            grade->decision = flag->decision;
            grade->reason = flag->reason;
            flag->used = true;
        }
    }
}

/* Which decisions change nothing: a mistyped name would leave a student without points. */
static void report_unused_flags(const struct flags *flags) {
    for (size_t i = 0; i < flags->count; i++)
        if (!flags->flag[i].used)
            remark(flags->flag[i].where, say("'%s %s' is not flagged: this line changes nothing",
                                             flags->flag[i].submission, flags->flag[i].step));
}

/* ---- which records ------------------------------------------------------------------------------ */

static bool is_same_source(const struct row *a, const struct row *b) {
    return *a->r.source_sha256 && same(a->r.source_sha256, b->r.source_sha256) &&
           same(a->r.harness, b->r.harness);
}

/* The latest; a harness error only if nothing else came of the same source. */
static const struct row *row_that_counts(const struct list *list) {
    size_t count = list ? list->count : 0;
    const struct row *best = count ? list->row[count - 1] : NULL;
    for (size_t i = count; i-- > 0 && has_verdict(best, "harness-error");)
        if (is_same_source(list->row[i], list->row[count - 1]))
            best = list->row[i];
    return best;
}

/* ---- records by submission and step --------------------------------------------------------------- */

struct step {
    const char *name, *problem;
    struct own_version own;
};

struct records {
    struct map lists; /* of a submission and step, and of our own version on a device and input */
    struct map steps, own_verdicts, students;
    struct step **step;
    const char **student;
    struct list own;
    size_t step_count, student_count;
};

static struct list *list_at(struct records *records, const char *who, const char *step) {
    return found(&records->lists, say("%s\n%s", who, step), sizeof(struct list));
}

/* This project's own version of a step, where a row was measured: what that is compared with. */
static struct list *own_at(struct records *records, const char *step, const struct row *row) {
    return list_at(records, "",
                   say("%s\n%s\n%s", step, gpu_of(row), key_of(row, "input rows columns")));
}

static void **own_verdict_at(struct records *records, const char *step, const struct row *row) {
    return find(&records->own_verdicts, say("%s\n%s", step, row ? gpu_of(row) : ""));
}

static struct step *step_at(struct records *records, const char *name) {
    struct step *step = found(&records->steps, name, sizeof *step);
    if (!step->name) {
        *step = (struct step){.name = name, .problem = ""};
        append(records->step, records->step_count, step);
    }
    return step;
}

/* Later records replace earlier ones. */
static void add_own(struct records *records, struct own_version *own, struct row *row) {
    list_row(own_at(records, row->r.step, row), row);
    list_row(&records->own, row);
    *own_verdict_at(records, row->r.step, row) = (void *)(row->success ? "" : row->r.verdict);
    own->passed |= row->success;
    own->intended = row->r.intended;
    own->where = row;
    own->timed |= !isnan(row->us);
    own->predicted |= !isnan(row->predicted_us);
    own->has_idea |= same(row->idea, "there");
}

static void add_student(struct records *records, struct row *row) {
    if (is_new(&records->students, row->r.submission))
        append(records->student, records->student_count, row->r.submission);
    list_row(list_at(records, row->r.submission, row->r.step), row);
}

/* Who handed in, and has no record yet: the grading was stopped. Whose folder of records a person
 * has removed is in the class no more. */
static void add_ungraded(struct records *records, const char *results) {
    const char **line = lines_of_file(beside(results, "submissions.tsv"));
    for (; records->step_count && *line; line++) {
        const char *who = pieces_of(*line, "\t").word[0];
        if (access(beside(results, say("records/%s", who)), F_OK) == 0 &&
            is_new(&records->students, who))
            append(records->student, records->student_count, who);
    }
    sort_texts(records->student, records->student_count);
}

static int by_ladder(const void *a, const void *b) {
    const struct step *one = a, *other = b;
    int places = ladder_place(one->problem) - ladder_place(other->problem);
    return places ? places : strcmp(one->name, other->name);
}

static struct records records_of(const struct rows *rows, const struct assignment *assignment) {
    struct records records = {0};
    struct step other = {0}; /* is not assigned: a step may build on it */
    foreach (row, rows) {
        bool is_own = !*row->r.submission, counts = is_assigned(assignment, row->r.step);
        if (!is_step(row) || !(is_own || counts))
            continue;
        struct step *step = counts ? step_at(&records, row->r.step) : &other;
        if (*row->r.problem)
            step->problem = row->r.problem;
        if (is_own)
            add_own(&records, &step->own, row);
        else
            add_student(&records, row);
    }
    sort_stably(records.step, records.step_count, by_ladder);
    return records;
}

/* ---- grades ------------------------------------------------------------------------------------- */

/* A step that is there to show a mistake: its own record says so, or that of our own version. */
static const char *intended_of(const struct row *row, const struct own_version *own) {
    const char *said = row ? row->r.intended : "";
    return own->intended && (!*said || same(said, "pass")) ? own->intended : said;
}

/* A GPU counts nothing: DIR/counted/results.jsonl has what the emulated one counted of the same
 * source. */
static const char *counted_idea(struct records *records, const struct row *row) {
    struct list *list = row && same(row->device.kind, "gpu")
                            ? list_at(records, "counted", key_of(row, "submission step"))
                            : NULL;
    for (size_t i = list ? list->count : 0; i-- > 0;)
        if (same(list->row[i]->r.source_sha256, row->r.source_sha256))
            return list->row[i]->idea;
    return row ? row->idea : "";
}

static void add_counted(struct records *records, const char *path) {
    struct rows rows = {.all = true, .flagged = true, .skip_broken = true, .quiet = true};
    if (is_readable(path))
        read_rows(&rows, path);
    finish_rows(&rows);
    foreach (row, &rows) {
        if (!is_step(row) || !*row->idea)
            continue;
        list_row(list_at(records, "counted", key_of(row, "submission step")), row);
        struct step **step = (struct step **)find(&records->steps, row->r.step);
        if (*step && !*row->r.submission) {
            (*step)->own.counted = true;
            (*step)->own.has_idea |= same(row->idea, "there");
        }
    }
}

static struct grade grade_of_step(struct records *records, struct flags *flags,
                                  const struct step *step, const char *who, const amount *worth) {
    struct list *list = list_at(records, who, step->name);
    const struct row *row = row_that_counts(list), *where = row ? row : step->own.where;
    const char *builds_on = step_header(step->name, "builds-on");
    const char *own_verdict = *own_verdict_at(records, step->name, row);
    struct grade grade = {
        .row = row,
        .ours = where ? row_that_counts(own_at(records, step->name, where)) : NULL,
        .before = where ? row_that_counts(own_at(records, builds_on, where)) : NULL,
        .own = &step->own,
        .own_verdict = own_verdict ? own_verdict : "",
        .submission = who,
        .step = step->name,
        .intended = intended_of(row, &step->own),
        .verdict = row ? row->r.verdict : "",
        .lacks = counted_idea(records, row),
        .basis = "",
        .worth = worth,
        .decision = "",
        .reason = "",
    };
    if (same(grade.verdict, "flagged"))
        apply_flags(flags, &grade);
    grade_step(&grade);
    return grade;
}

amount points_of(const struct grade *grade) {
    return grade->correct + grade->speed + grade->idea + grade->adjusted;
}

amount maximum_of(const struct grade *grade) {
    return grade->correct_max + grade->speed_max + grade->idea_max;
}

/* What a person has ruled of it in the assignment; nothing falls below 0. */
static void apply_rulings(struct class *class, struct grade *grade) {
    struct assignment *assignment = class->assignment;
    for (size_t i = 0; i < assignment->rulings; i++) {
        struct ruling *one = &assignment->ruling[i];
        if (one->key == WHICH_FILE || *grade->left_out || !same(one->step, grade->step) ||
            !names_submission(&class->people, in_small(one->who), grade->submission))
            continue;
        add_meant(one, grade->submission);
        grade->adjusted += one->points;
        if (points_of(grade) < 0)
            grade->adjusted -= points_of(grade);
        if (one->key == ADJUST)
            grade->how = say("%s; %s%s by hand: %s", grade->how, one->points < 0 ? "-" : "+",
                             points(llabs(one->points)), one->text);
        else
            grade->how = say("%s; comment: %s", grade->how, one->text);
    }
}

static void add_up(struct submission *one, const struct grade *grade) {
    one->total += points_of(grade);
    one->total_max += maximum_of(grade);
    one->pending += *grade->pending != '\0';
    one->counting += !*grade->left_out && (!*grade->pending || same(grade->verdict, "flagged"));
    if (*grade->basis) {
        one->predicted++;
        one->predicted_total += grade->speed;
    }
}

static void grade_submissions(struct class *class, struct records *records, struct flags *flags) {
    const amount **worth = keep((records->step_count + 1) * sizeof *worth);
    class->steps = records->step_count;
    class->step = keep((class->steps + 1) * sizeof *class->step);
    for (size_t s = 0; s < class->steps; s++) {
        class->step[s] = records->step[s]->name;
        worth[s] = worth_of(&class->rubric, class->step[s]);
    }
    class->submissions = records->student_count;
    class->submission = keep((class->submissions + 1) * sizeof *class->submission);
    for (size_t i = 0; i < class->submissions; i++) {
        struct submission *one = &class->submission[i];
        one->name = records->student[i];
        one->grade = keep((class->steps + 1) * sizeof *one->grade);
        for (size_t s = 0; s < class->steps; s++) {
            one->grade[s] = grade_of_step(records, flags, records->step[s], one->name, worth[s]);
            apply_rulings(class, &one->grade[s]);
            add_up(one, &one->grade[s]);
        }
        one->total = hundredths(one->total);
        one->total_max = hundredths(one->total_max);
        if (one->total_max > class->full_marks)
            class->full_marks = one->total_max;
    }
}

/* Which nobody has points for. Returns 2 where there is one, as of a line that is no record. */
static int report_unknown_verdicts(const struct rows *rows, bool said) {
    int status = 0;
    foreach (row, rows) {
        if (!is_step(row) || !*row->r.verdict || *verdict_of(row->r.verdict)->word)
            continue;
        status = 2;
        if (!said)
            remark(
                say("%s:%zu", row->file, row->line),
                say("'%s' is no verdict (common/judge/verdicts.def has them all): it earns nothing",
                    row->r.verdict));
    }
    return status;
}

static const char *number_of(const char *version) {
    return say("%.*s", (int)strcspn(version, "+"), version);
}

/* Whoever reads an old folder of results gets points by today's rules, and the grade book that was
 * uploaded had others. */
static void report_other_version(const struct rows *rows, const char *results) {
    const char **here = lines_of_file("VERSION");
    foreach (row, rows) {
        const char *there = row->r.histolab;
        if (!*here || !*row->r.submission || !*there || same(number_of(there), number_of(*here)))
            continue;
        remark(results, say("graded by histolab %s; these points are by the rules of %s, and may "
                            "differ: compare them with its grade book (guides/instructors.md, "
                            "A new version)",
                            there, number_of(*here)));
        return;
    }
}

struct class read_class(const char *results) {
    /* A script that calls several views has had one of them say what there is to say. */
    bool said = *setting("SAID");
    struct class class = {.assignment = read_assignment(setting("ASSIGNMENT"))};
    class.rubric = rubric_of(class.assignment);
    class.people = read_people(beside(results, "people.tsv"));
    class.people.hidden = *class.assignment->fact[ANONYMOUS].value;
    struct rows rows = {.all = true, .flagged = true, .skip_broken = said};
    read_rows(&rows, results);
    finish_rows(&rows);
    struct flags flags = read_flags(otherwise(setting("FLAGS"), beside(results, "flags")));
    struct records records = records_of(&rows, class.assignment);
    add_ungraded(&records, results);
    add_counted(&records, beside(results, "counted/results.jsonl"));
    class.status = report_unknown_verdicts(&rows, said) | rows.status;
    grade_submissions(&class, &records, &flags);
    for (struct submission *one = class.submission; one->name; one++)
        one->late = lateness_of(class.assignment, &class.people, one->name);
    class.own = records.own;
    if (!said) {
        report_other_version(&rows, results);
        report_unused_flags(&flags);
        report_unused(class.assignment, &class.people);
    }
    return class;
}

amount grade_total(const struct class *class) {
    amount total = class->assignment->fact[TOTAL].number;
    return total ? total : class->full_marks;
}

bool has_grade(const struct submission *one) { return one->total_max > 0 && one->counting > 0; }

amount grade_less(const struct class *class, const struct submission *one, amount percent) {
    return has_grade(one) ? scaled(one->total, grade_total(class), one->total_max, percent) : 0;
}

amount grade_of(const struct class *class, const struct submission *one) {
    return grade_less(class, one, one->late.percent);
}
