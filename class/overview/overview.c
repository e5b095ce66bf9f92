/* The page of a class for a browser. */
#include "../grades/views.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../grades/facts.h"
#include "../grades/private.h"
#include "lib/page.h"
#include "lib/page_parts.h"
#include "lib/steps.h"

#define EVERY_STEP SIZE_MAX

/* Those that list something for a person to look at. */
enum {
    LIST_FLAGS,
    LIST_PENDING,
    LIST_LATE,
    LIST_LEFT_OUT,
    LIST_ABSENT,
    LIST_UNMATCHED,
    LIST_REFUSED,
    LISTS
};

struct list_section {
    const char *title, *said, *after; /* before the list and after it; "" for nothing */
    struct words items;
    size_t count; /* of what is listed */
};

struct class_page {
    const struct class *class;
    struct page *page;
    const char *submissions; /* the file of what was noticed when these were taken in */
    struct list_section list[LISTS];
};

static void section(struct page *page, const char *name) {
    page->margin = "";
    heading_at(page, 2, name, slug(name));
    page->margin = "  ";
}

static const char *page_of(const char *submission) {
    return say("feedback/%s.html", file_name(submission));
}

static const char *person_shown(const struct class_page *to, const char *submission) {
    return linked(people_cell(&to->class->people, submission, "name"), page_of(submission), "");
}

/* ---- lists -------------------------------------------------------------------------------------- */

static const char *in_a_row(const struct words *list) {
    struct text text = {0};
    for (size_t i = 0; i < list->count; i++)
        add(&text, "%s%s", i ? ", " : "", list->word[i]);
    return bytes_of(&text);
}

static bool is_there(const struct list_section *list) { return list->items.count || *list->said; }

static void put_list_section(const struct class_page *to, int which) {
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

static const char *points_in_words(const struct class *class) {
    struct shares shares = shares_of(class);
    const double *share = shares.share;
    size_t count = shares.count;
    if (!count)
        return "No step counts for anybody.";
    return say("Per cent of each submission's maximum (the largest is %s points): median %s, "
               "lower quartile %s, upper quartile %s, lowest %s, highest %s.",
               points(class->full_marks), whole_percent(quantile(share, count, 0.5)),
               whole_percent(quantile(share, count, 0.25)),
               whole_percent(quantile(share, count, 0.75)), whole_percent(share[0]),
               whole_percent(share[count - 1]));
}

/* ---- verdicts ----------------------------------------------------------------------------------- */

/* How many grades have that verdict, "" for not graded yet, of that step or of all. */
static size_t count_grades(const struct class *class, const char *verdict, size_t step) {
    size_t count = 0;
    for (const struct submission *one = class->submission; one->name; one++)
        for (const struct grade *grade = one->grade; grade->step; grade++)
            count +=
                (step == EVERY_STEP || grade == &one->grade[step]) && same(grade->verdict, verdict);
    return count;
}

static void add_count(struct text *text, size_t count, const char *what) {
    if (count)
        add(text, "%s%zu %s", text->length ? ", " : "", count, what);
}

/* "3 wrong, 1 crashed" */
static const char *verdicts_in_words(const struct class *class, size_t step) {
    struct text text = {0};
    for (size_t v = 0; v < verdict_count; v++) {
        const char *word = verdict_table[v].word;
        add_count(&text, count_grades(class, word, step), otherwise(word, "not graded yet"));
    }
    return text.length ? text.bytes : "none";
}

/* ---- steps -------------------------------------------------------------------------------------- */

static void put_step_row(const struct class_page *to, struct table *table, size_t step,
                         bool has_times) {
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
    put_row(table, printable(class->step[step]), verdicts_in_words(class, step),
            most ? whole_percent(100.0 * (double)sum / (double)most) : "-");
    if (!has_times)
        return;
    sort_numbers(ratio, count);
    put(table, say("%zu", count));
    for (int quarter = 1; quarter <= 3; quarter++)
        put(table, count ? times(quantile(ratio, count, quarter / 4.0)) : "-");
    const char *mark = best && *best->basis ? "~" : "";
    put_cells(table, say("%s%s", mark, best ? significant(timed_grade(best).us, 4) : "-"),
              say("%s%s", mark, best ? times(best->ratio) : "-"),
              best ? person_shown(to, best->submission) : "-");
}

static void put_steps(const struct class_page *to) {
    bool timed = false, predicted = count_predicted(to->class);
    foreach (row, &to->class->own) {
        timed |= !isnan(row->us);
    }
    struct table *table = table_of("step|verdicts|>points");
    if (timed || predicted)
        table_columns(table, say(">%s|>25%%|>50%%|>75%%|>best us|>x ours|whose",
                                 predicted ? "predicted" : "timed"));
    paragraph(to->page,
              predicted
                  ? "Predicted, not measured, and counted because the rubric says predicted=1: "
                    "times of right answers that are predicted for a GPU, over that of our "
                    "own version, and the fastest with whose it is."
              : timed ? "Times of right answers over that of our own version (25%: a quarter of "
                        "them are below), and the fastest time with whose it is. A flagged time "
                        "counts once a person has cleared it."
                      : "Speed was not measured: there are no times of a GPU.");
    for (size_t s = 0; s < to->class->steps; s++)
        put_step_row(to, table, s, timed || predicted);
    put_table(to->page, table);
}

/* ---- what a time is worth ----------------------------------------------------------------------- */

/* For gnuplot, a step's panel; returns whether points of anybody depend on a time there. */
static bool add_curve(const struct class *class, size_t step, struct text *script) {
    const struct grade *any = NULL;
    struct text times = {0};
    size_t count = 0, all = 0, none = 0;
    for (const struct submission *one = class->submission; one->name; one++) {
        const struct grade *grade = &one->grade[step];
        if (!grade->speed_max || !is_right(grade) || isnan(grade->ratio))
            continue;
        any = grade;
        count++;
        all += grade->speed == grade->speed_max;
        none += !grade->speed;
        add(&times, "%.6g\n", grade->ratio);
    }
    if (any)
        add(script,
            "$times << END\n%sEND\nname = '%s: %zu of %zu have all, %zu none'\nfull = %s\n"
            "none = %.6g\nload 'class/overview/curve.gp'\n",
            bytes_of(&times),
            replaced(text_for_gnuplot(clip(short_name(class->step[step]), 12)), "'", "''"), all,
            count, none, amount_text(any->worth[FULL]), no_speed_from(any));
    return any;
}

static void put_curves(const struct class_page *to) {
    struct text script = {0};
    size_t curves = 0, room = 0;
    char *svg = NULL;
    for (size_t s = 0; s < to->class->steps; s++)
        curves += add_curve(to->class, s, &script);
    if (!curves)
        return;
    size_t across = curves < 4 ? curves : 4, down = (curves + 3) / 4;
    int file = memfd_create("curves", 0);
    write_file(say("/dev/fd/%d", file),
               say("set terminal svg size %zu,%zu font 'sans-serif,11' background 'white'\n"
                   "set multiplot layout %zu,%zu\n%s",
                   250 * across, 180 * down, down, across, bytes_of(&script)));
    /* gnuplot calls each plot gnuplot_plot_1, and a browser shows that. */
    FILE *gnuplot = popen(say("! command -v gnuplot >/dev/null || gnuplot /dev/fd/%d | sed -E "
                              "'1d; s| id=\"gnuplot_plot[^\"]*\"||; s|<title>.*</title>||'",
                              file),
                          "r");
    if (gnuplot && getdelim(&svg, &room, '\0', gnuplot) > 0)
        markup(
            to->page,
            say("<figure>\n%s<figcaption>What a time is worth: the share of the points for "
                "speed by the time over ours, and the class's times on that curve, those of "
                "within 5 %% as one circle; what is beyond a panel's edge stands at it.</figcaption>\n</figure>",
                svg));
    else
        paragraph(to->page, "What a time is worth is not drawn: gnuplot is not installed (Debian, "
                            "Ubuntu: apt-get install gnuplot-nox), or failed.");
    if (gnuplot)
        pclose(gnuplot);
    free(svg);
}

static void put_standing(const struct class_page *to) {
    section(to->page, "Points");
    paragraph(to->page, points_in_words(to->class));
    section(to->page, "Steps");
    put_steps(to);
    put_curves(to);
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

static void find_late(const struct class_page *to, struct list_section *list) {
    const struct class *class = to->class;
    for (const struct submission *one = class->submission; one->name; one++)
        if (is_late_somehow(class, one))
            add_word(&list->items, person_shown(to, one->name));
    list->count = list->items.count;
    if (list->count)
        list->after = say("The learning platform calls them late, and does not say since when: "
                          "nothing is taken off until a line such as %s in the assignment tells.",
                          code("handed-in jdoe 2026-11-21 09:30"));
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
        list->count ? say("No points until a person decides, by a line in the file %s beside "
                          "results.jsonl: with %s for what the answer and the time are worth, with "
                          "%s for nothing. Then type class/pages again.",
                          code("flags"), code("clear"), code("confirm"))
        : list->items.count ? "All are decided."
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

static void find_absent(const struct class_page *to, struct list_section *list) {
    struct words absent = {0};
    for (const struct person *one = to->class->people.one; one->columns; one++)
        if (is_in(one, ""))
            add_word(&absent, printable(person_cell(one, "name")));
    list->count = absent.count;
    if (absent.count)
        add_word(&list->items, to->class->people.hidden
                                   ? plural(absent.count, "person")
                                   : say("%zu: %s", absent.count, in_a_row(&absent)));
    else if (to->class->people.count)
        list->said = "Nobody of the roster, as far as it is known.";
}

static void find_lists(struct class_page *to) {
    static const struct {
        const char *title;
        void (*find)(const struct class_page *to, struct list_section *list);
    } lists[LISTS] = {[LIST_FLAGS] = {"Flags to decide", find_flags},
                      [LIST_PENDING] = {"Still to be graded", find_pending},
                      [LIST_LATE] = {"Late by an unknown time", find_late},
                      [LIST_LEFT_OUT] = {"Left out of the maximum", find_left_out},
                      [LIST_ABSENT] = {"Handed in nothing", find_absent},
                      [LIST_UNMATCHED] = {"Not matched with the roster", find_unmatched},
                      [LIST_REFUSED] = {"Refused or worth a look", find_refused}};
    for (int i = 0; i < LISTS; i++) {
        to->list[i] = (struct list_section){.title = lists[i].title, .said = "", .after = ""};
        lists[i].find(to, &to->list[i]);
    }
}

/* ---- what stands above -------------------------------------------------------------------------- */

static const char *class_in_words(const struct class *class) {
    const struct fact *fact = class->assignment->fact;
    struct text text = {0};
    size_t absent = people_in(&class->people, "");
    add(&text, "%s, %s.", plural(class->submissions, "submission"), plural(class->steps, "step"));
    if (absent)
        add(&text, " %zu of the roster handed in nothing.", absent);
    if (*fact[DUE].value)
        add(&text, " Due %s %s.", fact[DUE].value, fact[ZONE].value);
    return text.bytes;
}

static const char *link_to(const char *section) {
    return linked(section, say("#%s", slug(section)), "");
}

/* Where what is on the page; first what waits for a person. */
static void put_contents(const struct class_page *to) {
    markup(to->page, "<nav aria-label=\"On this page\">");
    for (int i = 0; i < LISTS; i++) {
        const struct list_section *list = &to->list[i];
        if (i != LIST_LEFT_OUT && is_there(list))
            item(to->page,
                 say("%s: %s", link_to(list->title),
                     i == LIST_PENDING ? plural(list->count, "step") : say("%zu", list->count)));
    }
    item(to->page,
         say("%s, %s, %s", link_to("Students and steps"), link_to("Points"), link_to("Steps")));
    markup(to->page, "</nav>");
}

/* ---- the grid ------------------------------------------------------------------------------------ */

/* opt05: pass, 9.5 of 10 points, 34.9 us */
static const char *cell_in_words(const struct grade *grade) {
    double us = timed_grade(grade).us;
    struct text text = {0};
    add(&text, "%s: %s", short_name(grade->step), verdict_in_words(grade));
    if (*grade->decision)
        add(&text, ", %sed", grade->decision);
    if (*grade->left_out || *grade->pending)
        add(&text, ", %s", *grade->left_out ? "left out" : "still to be graded");
    else
        add(&text, ", %s of %s points", points(points_of(grade)), points(maximum_of(grade)));
    if (!isnan(us) && *grade->basis)
        add(&text, ", ~%s us predicted", significant(us, 3));
    else if (!isnan(us))
        add(&text, ", %s us", significant(us, 4));
    return text.bytes;
}

static void put_cell(struct table *table, const struct grade *grade) {
    const char *address = say("%s#%s", page_of(grade->submission), file_name(grade->step));
    put(table, linked(verdict_of(grade->verdict)->sign, address, cell_in_words(grade)));
    attribute(table, "class", say("v-%s", verdict_of(grade->verdict)->group));
}

/* "?" where nobody knows when, and the learning platform calls it late. */
static const char *days_late(const struct class *class, const struct submission *one) {
    return is_late_somehow(class, one) ? "?" : say("%ld", one->late.days);
}

static void put_student(const struct class_page *to, struct table *table,
                        const struct submission *one, bool has_late, bool has_sections) {
    const struct class *class = to->class;
    const char *grade = has_grade(one) ? points(grade_of(class, one)) : "-";
    put_row_of(table, person_shown(to, one->name), printable(one->name),
               say("%s%s", grade, one->pending ? " *" : ""));
    if (one->pending)
        attribute(table, "title",
                  say("not final: %s still to be graded", plural(one->pending, "step")));
    for (const struct grade *each = one->grade; each->step; each++)
        put_cell(table, each);
    if (has_late)
        put(table, days_late(class, one));
    if (has_sections)
        put(table, printable(people_cell(&class->people, one->name, "section")));
}

/* What the signs mean: those that somebody has. */
static void put_legend(const struct class_page *to) {
    struct table *table = table_of("sign|verdict|>how often|what it means");
    for (size_t v = 0; v < verdict_count; v++) {
        const struct verdict *verdict = &verdict_table[v];
        size_t count = count_grades(to->class, verdict->word, EVERY_STEP);
        if (!count)
            continue;
        put_row(table, verdict->sign);
        attribute(table, "class", say("v-%s", verdict->group));
        put_heading(table, otherwise(verdict->word, "ungraded"));
        put_cells(table, say("%zu", count),
                  *verdict->word ? verdict->meaning : "it has no record yet");
    }
    put_table(to->page, table);
}

/* A cell for each, with the verdict's sign and colour, which says the rest in its title and links
 * to the student's page. */
static void put_grid(const struct class_page *to) {
    const struct class *class = to->class;
    struct table *table = new_table();
    bool has_sections = false, has_late = false;
    size_t unknown = 0;
    for (const struct submission *one = class->submission; one->name; one++) {
        has_sections |= *people_cell(&class->people, one->name, "section");
        has_late |= !same(days_late(class, one), "0");
        unknown += !*one->late.handed_in && !is_late_somehow(class, one) &&
                   !strchr(people_cell(&class->people, one->name, "late_flag"), '0');
    }
    section(to->page, "Students and steps");
    table_columns(table, "name|submission");
    table_column(table, say("of %s", points(grade_total(class))), RIGHT);
    for (size_t s = 0; s < class->steps; s++) {
        table_column(table, short_name(printable(class->step[s])), LEFT);
        attribute(table, "class", "step");
        attribute(table, "title", class->step[s]);
    }
    if (has_late)
        table_column(table, "days late", RIGHT);
    if (has_sections)
        table_column(table, "section", LEFT);
    for (const struct submission *one = class->submission; one->name; one++)
        put_student(to, table, one, has_late, has_sections);
    markup(to->page, "<div class=\"grid\">");
    put_table(to->page, table);
    markup(to->page, "</div>");
    if (unknown && *class->assignment->fact[DUE].value)
        paragraph(to->page, say("Without a time: %s. A line such as %s in the assignment tells "
                                "when; until then nothing is taken off.",
                                plural((double)unknown, "submission"),
                                code("handed-in jdoe 2026-11-21 09:30")));
    put_legend(to);
}

/* ---- four lines of it ---------------------------------------------------------------------------- */

static const char *what_waits(const struct class_page *to) {
    size_t flags = to->list[LIST_FLAGS].count;
    struct text text = {0};
    add_count(&text, flags, "flagged");
    add_count(&text, to->list[LIST_PENDING].count - flags, "still to be graded");
    add_count(&text, to->list[LIST_LATE].count, "late by an unknown time");
    add_count(&text, to->list[LIST_UNMATCHED].count, "not matched with the roster");
    add_count(&text, to->list[LIST_REFUSED].count, "refused or worth a look");
    return text.length ? text.bytes : "nothing";
}

static void print_brief(const struct class_page *to) {
    const struct class *class = to->class;
    printf("%s: %s, %s\n", printable(to->page->title), plural(class->submissions, "submission"),
           plural(class->steps, "step"));
    printf("Verdicts: %s\n", verdicts_in_words(class, EVERY_STEP));
    puts(points_in_words(class));
    printf("For a person to look at: %s\n", what_waits(to));
}

/* ---- the page ----------------------------------------------------------------------------------- */

static void put_class(const struct class_page *to) {
    if (!to->class->submissions) {
        paragraph(to->page, "There are no records of submissions: ./grade.sh SUBMISSION... grades "
                            "some.");
        return;
    }
    put_contents(to);
    for (int i = LIST_FLAGS; i <= LIST_LEFT_OUT; i++)
        put_list_section(to, i);
    put_grid(to);
    put_standing(to);
}

/* [--similar] SUBMISSIONS.tsv PAGE.html RESULTS.jsonl */
int view_overview(int count, char **words) {
    bool has_similar = take_option("similar", &count, &words);
    struct class class = read_class(words[2]);
    struct class_page to = {.class = &class, .page = new_page(), .submissions = words[0]};
    find_lists(&to);
    to.page->title = otherwise(class.assignment->fact[TITLE].value, "Class");
    to.page->styles[1] = "class/overview/page.css";
    to.page->sealed = true;
    heading(to.page, 1, to.page->title);
    paragraph(to.page, class_in_words(&class));
    if (has_similar)
        paragraph(to.page, say("Submissions that are alike are shown %s.",
                               linked("side by side", "similar.html", "")));
    put_class(&to);
    for (int i = LIST_ABSENT; i <= LIST_REFUSED; i++)
        put_list_section(&to, i);
    paragraph(to.page,
              "All of this is made from the records in results.jsonl. class/pages makes it "
              "anew after a change of class/rubric or of decisions on flags, the same "
              "./grade.sh after one of the assignment. Nothing has to be graded again.");
    write_page_to(to.page, HTML, words[1]);
    print_brief(&to);
    return class.status;
}
