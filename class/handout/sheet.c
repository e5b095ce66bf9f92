/* The sheet of an assignment, for students. */
#include "../grades/views.h"

#include <stdlib.h>

#include "../grades/points.h"
#include "lib/page.h"
#include "lib/steps.h"

/* 10 % of what was earned for each day that has begun, at most 50 %; the first 3 days are free. */
static const char *late_rule(const struct assignment *assignment) {
    struct text text = {0};
    const struct fact *fact = assignment->fact;
    if (!fact[LATE].number)
        return "Late work counts in full, as far as this sheet says.";
    add(&text, "%s %% of what was earned for each day that has begun",
        amount_text(fact[LATE].number));
    if (fact[LATE_MOST].number < 100 * POINT)
        add(&text, ", at most %s %%", amount_text(fact[LATE_MOST].number));
    if (fact[GRACE].number)
        add(&text, "; free: %s", plural(atoi(fact[GRACE].value), "day"));
    if (fact[TOLERANCE].number)
        add(&text, "; up to %s late is on time", plural(atoi(fact[TOLERANCE].value), "minute"));
    if (fact[CUTOFF].number)
        add(&text, "; after %s nothing counts", plural(atoi(fact[CUTOFF].value), "day"));
    return say("%s.", text.bytes);
}

static bool is_emulated(const struct assignment *assignment) {
    return same(assignment->fact[DEVICE].value, "cpu");
}

/* Without a GPU speed counts only where the rubric takes predicted times. */
static amount worth_of_speed(const struct assignment *assignment, const amount *worth) {
    return is_emulated(assignment) && !worth[PREDICTED] ? 0 : worth[SPEED];
}

static const char *worth_in_words(amount value) { return value ? points(value) : "-"; }

static void put_steps(struct page *page, const struct assignment *assignment,
                      const char *const *step, size_t steps) {
    struct rubric rubric = rubric_of(assignment);
    struct table *table = table_of("step|what it is about|>right answer|>its idea|>speed");
    amount sum = 0;
    for (size_t i = 0; i < steps; i++) {
        static const amount nothing[RUBRIC_KEYS];
        const amount *worth = is_handed_out_whole(step[i]) ? nothing : worth_of(&rubric, step[i]);
        put_row_of(table, code(step[i]), with_marks(step_header(step[i], "title")),
                   worth_in_words(worth[CORRECT]), worth_in_words(worth[IDEA]),
                   worth_in_words(worth_of_speed(assignment, worth)));
        sum += worth[CORRECT] + worth[IDEA] + worth_of_speed(assignment, worth);
    }
    put_table(page, table);
    if (assignment->fact[TOTAL].number)
        paragraph(page, say("In the grade book all of it is worth %s points.",
                            points(assignment->fact[TOTAL].number)));
    else
        paragraph(page, say("All of it is worth %s points.", points(sum)));
}

/* "3 in each step", "2 in opt05, 1 in opt06": what a key sets; "" for none. */
static const char *points_for(const struct assignment *assignment, enum rubric_key key,
                              const char *const *step, size_t steps) {
    struct rubric rubric = rubric_of(assignment);
    struct text text = {0};
    size_t counting = 0, with = 0;
    bool equal = true;
    amount first = 0;
    for (size_t i = 0; i < steps; i++) {
        const amount worth = worth_of(&rubric, step[i])[key];
        if (is_handed_out_whole(step[i]) || (++counting && !worth))
            continue;
        first = with++ ? first : worth;
        equal &= worth == first;
        add(&text, "%s%s in %s", with > 1 ? ", " : "", points(worth), short_name(step[i]));
    }
    return with && equal && with == counting ? say("%s in each step", points(first))
                                             : bytes_of(&text);
}

static bool pays(const struct assignment *assignment, enum rubric_key key) {
    struct rubric rubric = rubric_of(assignment);
    for (size_t i = 0; i < rubric.rules; i++)
        if (rubric.rule[i].value[key])
            return true;
    return false;
}

static const char *where_in_words(const struct assignment *assignment) {
    if (!is_emulated(assignment))
        return "Speed is measured on a GPU, against this project's own version of the same step on "
               "the same GPU.";
    return pays(assignment, PREDICTED)
               ? "It is graded on the emulated GPU. Speed is a predicted time, against that of this "
                 "project's own version of the same step."
               : "It is graded on the emulated GPU, where only answers count.";
}

static void put_rules(struct page *page, const struct assignment *assignment,
                      const char *const *step, size_t steps) {
    const char *partial = points_for(assignment, PARTIAL, step, steps),
               *hazard = points_for(assignment, HAZARD, step, steps);
    heading(page, 2, "What passes");
    paragraph(
        page,
        say("A step is right where every output of every call is right, on inputs that it has "
            "not seen, and where the checked build on a CPU finds no hazard: what %s says of "
            "it at your desk. A step as it was handed out, or a copy of an earlier one, earns "
            "nothing.",
            code("make")));
    if (*partial)
        paragraph(page, say("A wrong answer earns points by the share of checks in which it is "
                            "right, at most %s.",
                            partial));
    if (*hazard)
        paragraph(page,
                  say("Points for right outputs with a hazard, right by luck alone: %s.", hazard));
    paragraph(page, where_in_words(assignment));
    heading(page, 2, "How to hand it in");
    paragraph(page, say("Type %s, and upload the archive that it names. The same command says how "
                        "each step fares.",
                        code("make submit NAME=you")));
    heading(page, 2, "What is kept of yours");
    paragraph(page,
              "Your sources and the journal in step.md; of each step a record: its verdict and the "
              "first wrong output, its times and counters, the GPU, when it was graded, and the "
              "source's hash. Sources are compared with each other's, with published solutions and "
              "maybe with an earlier term's; a person judges what is alike.");
}

/* ASSIGNMENT FOLDER STEP...: writes assignment.md and assignment.html there. */
int view_sheet(int count, char **words) {
    const struct assignment *assignment = read_assignment(words[0]);
    const struct fact *told = assignment->fact;
    struct page *page = new_page();
    page->title = otherwise(told[TITLE].value, "Assignment");
    page->sealed = true;
    heading(page, 1, page->title);
    if (*told[DUE].value) {
        fact(page, "Due", say("%s, %s", told[DUE].value, told[ZONE].value));
        fact(page, "Late", late_rule(assignment));
    }
    put_steps(page, assignment, (const char *const *)words + 2, count - 2);
    put_rules(page, assignment, (const char *const *)words + 2, count - 2);
    write_page_to(page, MARKDOWN, say("%s/assignment.md", words[1]));
    write_page_to(page, HTML, say("%s/assignment.html", words[1]));
    return 0;
}
