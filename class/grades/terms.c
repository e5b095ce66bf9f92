/* class/late: deals out the free days of a term over its assignments. */
#include "views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"
#include "points.h"

struct student {
    const char *name;
    const struct submission **submission; /* of each assignment; NULL: none */
    long *free;                           /* days that are dealt out to it there */
    long late;                            /* days, in all */
};

struct term {
    const char **typed, **name, **results; /* of each assignment */
    struct class *class;
    size_t assignments;
    int grace;
    struct student **student;
    size_t students;
    struct map by_key; /* by what a person is known */
    bool unknown;      /* that some are late only the learning platform knows */
};

/* ---- who is who --------------------------------------------------------------------------------- */

/* By what a person is known, a line each: one of these is enough. */
static const char *keys_of(const struct people *people, size_t row) {
    static const char *const columns[] = {"number", "login", "email", "canvas"};
    struct text keys = {0};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *known = in_small(people_cell(people, row, columns[i]));
        if (*known)
            add(&keys, "%s%s %s", keys.length ? "\n" : "", columns[i], known);
    }
    return keys.length ? keys.bytes : say("name %s", in_small(people_cell(people, row, "name")));
}

/* A group is known by all of its people together. */
static const char *known_by(const struct people *people, const char *submission) {
    const char **key = NULL;
    size_t count = 0;
    for (size_t row = 0; row < people->count; row++)
        if (is_in(people, row, submission))
            append(key, count, keys_of(people, row));
    if (count <= 1)
        return count ? *key : say("submission %s", submission);
    for (size_t i = 0; i < count; i++)
        key[i] = say("%.*s", (int)strcspn(key[i], "\n"), key[i]);
    sort_texts(key, count);
    struct text group = {0};
    add(&group, "group");
    for (size_t i = 0; i < count; i++)
        add(&group, " %s", key[i]);
    return group.bytes;
}

/* Who is known by one of the keys, from here on by all of them. */
static struct student *student_of(struct term *term, const char *keys) {
    struct student *student = NULL;
    const char **lines = lines_in(keys);
    for (const char **key = lines; *key && !student; key++)
        student = *find(&term->by_key, *key);
    if (!student) {
        student = keep(sizeof *student);
        student->submission = keep(term->assignments * sizeof *student->submission);
        student->free = keep(term->assignments * sizeof *student->free);
        append(term->student, term->students, student);
    }
    for (const char **key = lines; *key; key++) {
        void **at = find(&term->by_key, *key);
        if (!*at)
            *at = student;
    }
    return student;
}

static void note(const char *what) { fprintf(stderr, "late: %s\n", printable(what)); }

static void add_submission(struct term *term, size_t a, const struct submission *one) {
    const struct people *people = &term->class[a].people;
    const char *name = person(people, one->name, "name");
    struct student *student = student_of(term, known_by(people, one->name));
    const struct submission *before = student->submission[a];
    if (strchr(person(people, one->name, "late_flag"), '1') && !*one->late.handed_in) {
        term->unknown = true;
        note(say("%s: %s (%s) is late, says the learning platform, but not by how much: a line "
                 "handed-in in the assignment decides",
                 term->name[a], name, one->name));
    }
    if (before) { /* each for itself, and the days go to the first */
        note(say("%s and %s are of one person: only the first has free days", before->name,
                 one->name));
        return;
    }
    student->name = name;
    student->submission[a] = one;
    student->late += one->late.days;
}

/* ---- days --------------------------------------------------------------------------------------- */

static long days_of(const struct student *student, size_t a) {
    return student->submission[a] ? student->submission[a]->late.days : 0;
}

static amount grade_with(const struct term *term, const struct student *student, size_t a,
                         long free) {
    const struct class *class = &term->class[a];
    const struct submission *one = student->submission[a];
    return one ? grade_less(class, one, late_percent(class->assignment, one->late.days, free)) : 0;
}

/* best[a][d]: the largest sum of the first a grades with at most d free days (dynamic programming,
 * Bellman 1957); given[a][d] of them go to assignment a. */
static void deal_out(const struct term *term, struct student *student) {
    long most = student->late < term->grace ? student->late : term->grace, width = most + 1, d;
    amount *best = keep((term->assignments + 1) * width * sizeof *best), *last = best;
    long *given = keep(term->assignments * width * sizeof *given);
    for (size_t a = 0; a < term->assignments; a++, last += width)
        for (d = 0; d <= most; d++) {
            last[width + d] = -1;
            for (long k = 0; k <= d && k <= days_of(student, a); k++) {
                amount sum = last[d - k] + grade_with(term, student, a, k);
                if (sum > last[width + d]) {
                    last[width + d] = sum;
                    given[a * width + d] = k;
                }
            }
        }
    for (d = most; d > 0 && last[d - 1] == last[d];)
        d--;
    for (size_t a = term->assignments; a-- > 0; d -= student->free[a])
        student->free[a] = given[a * width + d];
}

static void print_student(const struct term *term, const struct student *student) {
    long used = 0;
    amount sum = 0;
    puts(clip(student->name, 60));
    for (size_t a = 0; a < term->assignments; a++) {
        long days = days_of(student, a), free = student->free[a];
        amount grade = grade_with(term, student, a, free);
        if (!student->submission[a])
            continue;
        used += free;
        sum += grade;
        printf("  %s%s points", pad(clip(term->name[a], 24), 25), lpad(points(grade), 7));
        if (days)
            printf(", %s late, %ld free", plural(days, "day"), free);
        putchar('\n');
    }
    printf("  %s%s points, %ld of %d free days left\n", pad("together", 25), lpad(points(sum), 7),
           term->grace - used, term->grace);
}

/* DIR/free-days, in one piece. */
static void write_days(const struct term *term, size_t a, const char *typed) {
    const char *path = beside(term->results[a], "free-days"), *new = say("%s.new", path);
    FILE *file = fopen(new, "w");
    if (file)
        fprintf(file, "# Free days of each submission, dealt out by class/late: %s\n",
                printable(typed));
    for (size_t i = 0; file && i < term->students; i++)
        if (days_of(term->student[i], a) > 0)
            fprintf(file, "%s\t%ld\n", term->student[i]->submission[a]->name,
                    term->student[i]->free[a]);
    bool failed = !file || ferror(file);
    if ((file && fclose(file) != 0) || failed || rename(new, path) != 0)
        give_up(3, say("cannot write '%s'", path));
}

/* ---- the term ----------------------------------------------------------------------------------- */

static void read_folder(struct term *term, size_t a) {
    const char *assignment = beside(term->results[a], "assignment");
    struct class *class = &term->class[a];
    if (is_readable(assignment))
        *class = read_class(term->results[a], assignment);
    if (!class->assignment || !*class->assignment->fact[DUE].value)
        give_up(2, say("'%s' has no assignment with a due date: ./grade.sh --assignment FILE gives "
                       "it one",
                       term->typed[a]));
    if (class->status)
        exit(class->status);
}

static void check_grace(const struct term *term) {
    const char **grace = keep(term->assignments * sizeof *grace);
    struct text list = {0};
    for (size_t a = 0; a < term->assignments; a++)
        grace[a] = say("%d", term->class[a].assignment->grace);
    sort_texts(grace, term->assignments);
    for (size_t a = 0; a < term->assignments; a++)
        if (!a || !same(grace[a], grace[a - 1]))
            add(&list, "%s%s", a ? "," : "", grace[a]);
    if (strchr(list.bytes, ','))
        give_up(2, say("the assignments do not say the same of the term's free days: grace is %s. "
                       "Mend DIR/assignment, or name other DIRs",
                       list.bytes));
}

static struct term read_term(size_t assignments, char **words) {
    struct term term = {.assignments = assignments};
    term.name = keep((assignments + 1) * sizeof *term.name);
    term.typed = keep((assignments + 1) * sizeof *term.typed);
    term.results = keep((assignments + 1) * sizeof *term.results);
    term.class = keep((assignments + 1) * sizeof *term.class);
    for (size_t a = 0; a < assignments; a++) {
        size_t length = strlen(words[2 * a]);
        while (length > 1 && words[2 * a][length - 1] == '/')
            length--;
        term.typed[a] = words[2 * a];
        term.name[a] = base_name(say("%.*s", (int)length, words[2 * a]));
        term.results[a] = words[2 * a + 1];
        read_folder(&term, a);
    }
    check_grace(&term);
    term.grace = term.class[0].assignment->grace;
    for (size_t a = 0; a < assignments; a++)
        for (size_t i = 0; i < term.class[a].submissions; i++)
            add_submission(&term, a, &term.class[a].submission[i]);
    return term;
}

int view_late(int count, char **words) {
    struct term term = read_term((count - 1) / 2, words + 1);
    bool any = false;
    for (size_t i = 0; i < term.students; i++)
        if (term.student[i]->late) {
            deal_out(&term, term.student[i]);
            print_student(&term, term.student[i]);
            any = true;
        }
    if (!any)
        printf("Nobody was late%s.\n",
               term.unknown ? ", as far as it is known when they handed in" : "");
    for (size_t a = 0; a < term.assignments; a++)
        write_days(&term, a, words[0]);
    puts("Written to free-days in each folder. Make pages and exports again: class/pages DIR, "
         "class/export ... DIR");
    return 0;
}
