/* The page of a class for a browser. */
#include "parts.h"

#include <math.h>

#include "../grades/private.h"
#include "../grades/views.h"
#include "lib/page_parts.h"
#include "lib/steps.h"

static const struct counted stuck = {.step = EVERY_STEP, .stuck = true};

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
    item(to->page, link_to("Students and steps"));
    item(to->page, say("%s, %s", link_to("Points"), link_to("speed")));
    item(to->page,
         say("%s: %zu", link_to("Who is stuck where, and why"), count_grades(to->class, stuck)));
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
        put(table, is_late_by_flag(class, one) ? "?" : say("%ld", one->late.days));
    if (has_sections)
        put(table, printable(people_cell(&class->people, one->name, "section")));
}

/* What the signs mean: those that somebody has. */
static void put_legend(const struct class_page *to) {
    struct table *table = table_of("sign|verdict|>how often|what it means");
    for (size_t v = 0; v < verdict_count; v++) {
        const struct verdict *verdict = &verdict_table[v];
        size_t count = count_grades(to->class, (struct counted){EVERY_STEP, verdict->word, false});
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
    bool has_sections = false, has_late = to->list[LIST_LATE].count > 0;
    for (const struct submission *one = class->submission; one->name; one++)
        has_sections |= *people_cell(&class->people, one->name, "section");
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
    put_legend(to);
}

/* ---- who is stuck ------------------------------------------------------------------------------- */

static void add_count(struct text *text, size_t count, const char *what) {
    if (count)
        add(text, "%s%zu %s", text->length ? ", " : "", count, what);
}

/* "3 wrong, 1 crashed" */
static const char *verdicts_in_words(const struct class *class, struct counted of) {
    struct text text = {0};
    for (size_t v = 0; v < verdict_count; v++) {
        of.verdict = verdict_table[v].word;
        add_count(&text, count_grades(class, of), otherwise(of.verdict, "not graded yet"));
    }
    return text.length ? text.bytes : "none";
}

static void put_stuck_at(const struct class_page *to, size_t step) {
    const struct class *class = to->class;
    struct table *table = table_of("who|verdict|what was found");
    const struct counted here = {.step = step, .stuck = true};
    const char *title = say("%s: %zu (%s)", class->step[step], count_grades(class, here),
                            verdicts_in_words(class, here));
    if (!count_grades(class, here))
        return;
    for (const struct submission *one = class->submission; one->name; one++) {
        const struct grade *grade = &one->grade[step];
        const struct row *found = grade->row;
        if (!is_stuck_at(one, grade))
            continue;
        put_row_of(
            table, person_shown(to, grade->submission),
            say("%s %s", verdict_of(grade->verdict)->sign, verdict_in_words(grade)),
            !found ? "" : leading(printable(otherwise(found->r.diagnosis, found->r.detail)), 400));
    }
    markup(to->page, say("<details>\n<summary>%s</summary>", html_escaped(title)));
    put_table(to->page, table);
    markup(to->page, "</details>");
}

static void put_stuck(const struct class_page *to) {
    section(to->page, "Who is stuck where, and why");
    paragraph(to->page, count_grades(to->class, stuck)
                            ? "No step from the one named onward is right. Open a step "
                              "to see who, and what was found there."
                            : "Nobody: each ladder's last step is right in every submission.");
    for (size_t s = 0; s < to->class->steps; s++)
        put_stuck_at(to, s);
}

/* ---- four lines of it ---------------------------------------------------------------------------- */

static const char *what_waits(const struct class_page *to) {
    size_t flags = to->list[LIST_FLAGS].count;
    struct text text = {0};
    add_count(&text, flags, "flagged");
    add_count(&text, to->list[LIST_PENDING].count - flags, "still to be graded");
    add_count(&text, to->list[LIST_UNMATCHED].count, "not matched with the roster");
    add_count(&text, to->list[LIST_REFUSED].count, "refused or worth a look");
    return text.length ? text.bytes : "nothing";
}

static void print_brief(const struct class_page *to) {
    const struct class *class = to->class;
    struct shares shares = shares_of(class);
    printf("%s: %s, %s\n", printable(to->page->title), plural(class->submissions, "submission"),
           plural(class->steps, "step"));
    printf("Verdicts: %s\n", verdicts_in_words(class, (struct counted){.step = EVERY_STEP}));
    if (shares.count)
        printf("Points, of each one's maximum: median %.0f%%, lowest %.0f%%, highest %.0f%%\n",
               quantile(shares.share, shares.count, 0.5), shares.share[0],
               shares.share[shares.count - 1]);
    else
        puts("Points: none: no step counts for anybody");
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
    put_stuck(to);
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
