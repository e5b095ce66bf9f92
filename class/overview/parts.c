#include "parts.h"

#include <math.h>
#include <string.h>

#include "../grades/private.h"
#include "lib/steps.h"

void section(struct page *page, const char *name) {
    page->margin = "";
    heading_at(page, 2, name, slug(name));
    page->margin = "  ";
}

const char *page_of(const char *submission) {
    return say("feedback/%s.html", file_name(submission));
}

const char *person_shown(const struct class_page *to, const char *submission) {
    return linked(people_cell(&to->class->people, submission, "name"), page_of(submission), "");
}

/* ---- lists -------------------------------------------------------------------------------------- */

static const char *in_a_row(const struct words *list) {
    struct text text = {0};
    for (size_t i = 0; i < list->count; i++)
        add(&text, "%s%s", i ? ", " : "", list->word[i]);
    return bytes_of(&text);
}

bool is_there(const struct list_section *list) { return list->items.count || *list->said; }

void put_list_section(const struct class_page *to, int which) {
    const struct list_section *list = &to->list[which];
    if (!is_there(list))
        return;
    section(to->page, list->title);
    paragraph(to->page, list->said);
    for (size_t i = 0; i < list->items.count; i++)
        item(to->page, list->items.word[i]);
    paragraph(to->page, list->after);
}

/* ---- points ------------------------------------------------------------------------------------- */

static const char *whole_percent(double value) { return say("%.0f%%", value); }

static void put_points_in_words(const struct class_page *to, const struct shares *shares) {
    const double *share = shares->share;
    size_t count = shares->count;
    if (!count) {
        paragraph(to->page, "No step counts for anybody: see below what was left out.");
        return;
    }
    paragraph(to->page,
              say("Per cent of each submission's maximum (the largest is %s points): median %s, "
                  "lower quartile %s, upper quartile %s, lowest %s, highest %s.",
                  points(to->class->full_marks), whole_percent(quantile(share, count, 0.5)),
                  whole_percent(quantile(share, count, 0.25)),
                  whole_percent(quantile(share, count, 0.75)), whole_percent(share[0]),
                  whole_percent(share[count - 1])));
}

static void put_histogram(const struct class_page *to, const struct shares *shares) {
    struct table *table = table_of(">per cent||>submissions");
    size_t most = 1;
    for (size_t i = 0; i < 10; i++)
        most = shares->tenth[i] > most ? shares->tenth[i] : most;
    for (size_t i = 0; i < 10; i++)
        put_row(table, say("%zu - %zu", i * 10, (i + 1) * 10),
                repeated("=", (80 * shares->tenth[i] + most) / (2 * most)),
                say("%zu", shares->tenth[i]));
    put_table(to->page, table);
}

/* ---- verdicts ----------------------------------------------------------------------------------- */

size_t count_grades(const struct class *class, struct counted of) {
    size_t count = 0;
    for (const struct submission *one = class->submission; one->name; one++)
        for (const struct grade *grade = one->grade; grade->step; grade++)
            count += (of.step == EVERY_STEP || grade == &one->grade[of.step]) &&
                     (!of.verdict || same(grade->verdict, of.verdict)) &&
                     (!of.stuck || is_stuck_at(one, grade));
    return count;
}

/* ---- speed -------------------------------------------------------------------------------------- */

static void put_speed_row(const struct class_page *to, struct table *table, size_t step) {
    const struct class *class = to->class;
    const struct grade *best = NULL;
    double *ratio = keep((class->submissions + 1) * sizeof *ratio);
    amount sum = 0, most = 0;
    size_t count = 0;
    for (const struct submission *one = class->submission; one->name; one++) {
        const struct grade *grade = &one->grade[step];
        sum += points_of(grade);
        most += maximum_of(grade);
        if (isnan(grade->ratio) || !is_right(grade))
            continue;
        ratio[count++] = grade->ratio;
        if (!best || timed_grade(grade).us < timed_grade(best).us)
            best = grade;
    }
    sort_numbers(ratio, count);
    put_row(table, printable(class->step[step]), say("%zu", count));
    for (int quarter = 1; quarter <= 3; quarter++)
        put(table, count ? times(quantile(ratio, count, quarter / 4.0)) : "-");
    put(table, most ? whole_percent(100.0 * (double)sum / (double)most) : "-");
    const char *mark = best && *best->basis ? "~" : "";
    put_cells(table, say("%s%s", mark, best ? significant(timed_grade(best).us, 4) : "-"),
              say("%s%s", mark, best ? times(best->ratio) : "-"),
              best ? person_shown(to, best->submission) : "-");
}

static void put_speed(const struct class_page *to) {
    bool timed = false, predicted = count_predicted(to->class);
    foreach (row, &to->class->own) {
        timed |= !isnan(row->us);
    }
    if (!timed && !predicted) {
        paragraph(to->page, "Not measured: there are no times of a GPU.");
        return;
    }
    paragraph(to->page,
              predicted
                  ? "Predicted, not measured, and counted because the rubric says predicted=1: "
                    "times of right answers that are predicted for a GPU, over that of our own "
                    "version, mean points, and the fastest with whose it is."
                  : "Times of right answers over that of our own version (25%: a quarter of "
                    "them are below), mean points, and the fastest time with whose it is. A "
                    "flagged time counts once a person has cleared it.");
    struct table *table = new_table();
    table_column_of(table, "step", LEFT, 0, 40);
    table_column(table, predicted ? "predicted" : "timed", RIGHT);
    table_columns(table, ">25%|>50%|>75%|>points|>best us|>x ours");
    table_column_of(table, "whose", LEFT, 0, 14);
    for (size_t s = 0; s < to->class->steps; s++)
        put_speed_row(to, table, s);
    put_table(to->page, table);
}

void put_standing(const struct class_page *to) {
    struct shares shares = shares_of(to->class);
    section(to->page, "Points");
    put_points_in_words(to, &shares);
    if (shares.count)
        put_histogram(to, &shares);
    section(to->page, "Speed");
    put_speed(to);
}

/* ---- steps that count for nothing --------------------------------------------------------------- */

/* By the reason, a text of the grade, in the order of steps. */
static void add_reasons(const struct class_page *to, size_t reason, struct list_section *section) {
    const struct class *class = to->class;
    struct map lists = {0};
    struct words reasons = {0};
    for (size_t s = 0; s < class->steps; s++)
        for (const struct submission *one = class->submission; one->name; one++) {
            const struct grade *grade = &one->grade[s];
            const char *why = *(const char *const *)((const char *)grade + reason);
            if (!*why)
                continue;
            struct words *list = found(&lists, why, sizeof *list);
            if (!list->count)
                add_word(&reasons, why);
            section->count++;
            add_word(list,
                     say("%s %s%s", person_shown(to, grade->submission), printable(grade->step),
                         same(grade->verdict, "harness-error")
                             ? say(": %s", printable(grade->row->r.detail))
                             : ""));
        }
    for (size_t i = 0; i < reasons.count; i++) {
        const struct words *list = *find(&lists, reasons.word[i]);
        add_word(&section->items, say("%zu: %s: %s", list->count, reasons.word[i], in_a_row(list)));
    }
}

static void find_pending(const struct class_page *to, struct list_section *list) {
    add_reasons(to, offsetof(struct grade, pending), list);
    list->said = list->count
                     ? "The totals of these submissions are not final: these steps count in the "
                       "maximum, and for nothing until they have been graded. The same ./grade.sh "
                       "command tries again; a flagged step waits for a person."
                     : "Nothing: all points are final.";
}

static void find_left_out(const struct class_page *to, struct list_section *list) {
    add_reasons(to, offsetof(struct grade, left_out), list);
}

/* ---- what a person should look at --------------------------------------------------------------- */

/* Who passes a step without its idea, with what is missing. */
static void add_without_idea(const struct class_page *to, size_t step, struct list_section *list) {
    struct words who = {0};
    const struct grade *cost = NULL;
    for (const struct submission *one = to->class->submission; one->name; one++) {
        const struct grade *grade = &one->grade[step];
        if (!is_without_idea(grade))
            continue;
        cost = grade;
        add_word(&who, say("%s (%s %s)", person_shown(to, grade->submission),
                           short_name(grade->step), printable(grade->lacks)));
    }
    if (cost)
        add_word(&list->items, say("%s passes without its idea, as far as counters tell (%s): %s",
                                   printable(cost->step), idea_cost(cost), in_a_row(&who)));
}

/* Lines of submissions.tsv: id, path, what was noticed. */
static void find_refused(const struct class_page *to, struct list_section *list) {
    for (const char **line = lines_of_file(to->submissions); *line; line++) {
        struct words cells = pieces_of(*line, "\t");
        if (cells.count < 3 || !*cells.word[2])
            continue;
        add_word(&list->items,
                 say("%s: %s", person_shown(to, cells.word[0]), printable(cells.word[2])));
        if (matches(cells.word[2], "no step of this lab|is taken|is left out"))
            list->after = say("If another file is the step: %s in the assignment, then ./grade.sh.",
                              code("file jdoe opt05 old/kernel.cu"));
    }
    for (size_t s = 0; s < to->class->steps; s++)
        add_without_idea(to, s, list);
    list->count = list->items.count;
}

static const char *flag_in_words(const struct class_page *to, const struct grade *grade) {
    const char *end = *grade->decision ? say("%sed: %s", grade->decision, printable(grade->reason))
                                       : code(say("%s %s/%.8s clear REASON", grade->submission,
                                                  grade->step, grade->row->r.source_sha256));
    return say("%s %s (line %zu): %s; %s", person_shown(to, grade->submission),
               printable(grade->step), grade->row->line, printable(grade->row->r.detail), end);
}

static void find_flags(const struct class_page *to, struct list_section *list) {
    for (const struct submission *one = to->class->submission; one->name; one++)
        for (const struct grade *grade = one->grade; grade->step; grade++) {
            if (!same(grade->verdict, "flagged"))
                continue;
            add_word(&list->items, flag_in_words(to, grade));
            list->count += !*grade->decision;
        }
    list->said =
        list->items.count
            ? say("No points until a person decides, by a line in the file %s beside "
                  "results.jsonl: with %s for what the answer and the time are worth, with "
                  "%s for nothing. Then type class/pages again.",
                  code("flags"), code("clear"), code("confirm"))
            : "Nothing is flagged.";
}

/* ---- people ------------------------------------------------------------------------------------- */

static void find_unmatched(const struct class_page *to, struct list_section *list) {
    const struct people *people = &to->class->people;
    for (const struct person *one = people->one; one->columns; one++) {
        const char *why = person_cell(one, "why"),
                   *likely = people->hidden ? "" : person_cell(one, "likely");
        if (*why)
            add_word(&list->items,
                     say("%s: %s%s%s", person_shown(to, person_cell(one, "submission")),
                         printable(why), *likely ? "; likely " : "", printable(likely)));
    }
    list->count = list->items.count;
    if (people->count && !list->count)
        list->said = "Nothing: every submission fits a person.";
    if (list->count)
        list->after = say(
            "A submission is found by the number, login, e-mail or name of the roster: call its "
            "folder or file so, or complete the roster, and type the same ./grade.sh. What is "
            "called anew stays under its old name, too, until %s, typed in this page's folder "
            "before ./grade.sh, takes that out of the class.",
            code("rm -r records/ID feedback/ID.*"));
}

bool is_late_by_flag(const struct class *class, const struct submission *one) {
    return is_late(class, one) && !*one->late.handed_in;
}

/* As one item; `nobody` says that there are none. */
static void list_names(const struct class_page *to, struct list_section *list,
                       const struct words *names, const char *nobody) {
    list->count = names->count;
    if (!names->count)
        list->said = to->class->people.count ? nobody : "";
    else
        add_word(&list->items, say("%zu: %s", names->count, in_a_row(names)));
}

static void find_absent(const struct class_page *to, struct list_section *list) {
    struct words absent = {0};
    for (const struct person *one = to->class->people.one; one->columns; one++)
        if (is_in(one, ""))
            add_word(&absent, printable(person_cell(one, "name")));
    list_names(to, list, &absent, "Nobody of the roster, as far as it is known.");
}

static void find_late(const struct class_page *to, struct list_section *list) {
    const struct class *class = to->class;
    struct words late = {0};
    size_t unknown = 0;
    for (const struct submission *one = class->submission; one->name; one++) {
        const char *flag = people_cell(&class->people, one->name, "late_flag");
        unknown += !*one->late.handed_in && !strchr(flag, '0');
        if (!is_late(class, one))
            continue;
        add_word(&late, say("%s (%s)", person_shown(to, one->name),
                            is_late_by_flag(class, one)
                                ? "says the learning platform"
                                : say("%s, %s %% taken off", plural(one->late.days, "day"),
                                      amount_text(one->late.percent))));
    }
    list_names(to, list, &late, "Nobody, as far as it is known when they handed in.");
    if (unknown && *class->assignment->fact[DUE].value)
        list->after =
            say("Without a time: %s. A line such as %s in the assignment tells when; until then "
                "nothing is taken off.",
                plural((double)unknown, "submission"), code("handed-in jdoe 2026-11-21 09:30"));
}

void find_lists(struct class_page *to) {
    static const struct {
        const char *title;
        void (*find)(const struct class_page *to, struct list_section *list);
    } lists[LISTS] = {[LIST_FLAGS] = {"Flags to decide", find_flags},
                      [LIST_PENDING] = {"Still to be graded", find_pending},
                      [LIST_LEFT_OUT] = {"Left out of the maximum", find_left_out},
                      [LIST_ABSENT] = {"Handed in nothing", find_absent},
                      [LIST_UNMATCHED] = {"Not matched with the roster", find_unmatched},
                      [LIST_LATE] = {"Late", find_late},
                      [LIST_REFUSED] = {"Refused or worth a look", find_refused}};
    for (int i = 0; i < LISTS; i++) {
        to->list[i] = (struct list_section){.title = lists[i].title, .said = "", .after = ""};
        lists[i].find(to, &to->list[i]);
    }
}
