/* What class/summary prints: a page of text and, in Markdown, the same with all names. */
#include "../grades/views.h"

#include <stdio.h>

#include "../grades/phrases.h"
#include "lib/steps.h"
#include "lib/text.h"
#include "parts.h"
#include "views/views.h"

static void put_stuck(const struct class_page *to) {
    const struct class *class = to->class;
    bool any = false;
    section(to->page, "Who is stuck where");
    paragraph(to->page, "No step from the one named onward is right. In brackets: the "
                        "verdict on that step.");
    for (size_t s = 0; s < class->steps; s++) {
        struct words list = {0};
        for (size_t i = 0; i < class->submissions; i++)
            if (is_stuck_at(class, &class->submission[i], s))
                add_word(&list, say("%s (%s)", person_shown(to, class->submission[i].name),
                                    verdict_in_words(&class->submission[i].grade[s])));
        if (list.count)
            list_item(to->page, say("%s, %zu: ", printable(class->step[s]), list.count), &list);
        any |= list.count > 0;
    }
    if (!any)
        paragraph(to->page, "Nobody: each ladder's last step is right in every submission.");
}

static void put_class(const struct class_page *to) {
    put_standing(to);
    put_stuck(to);
    put_flags(to);
    put_pending(to);
    put_reasons(to, "Left out of the maximum", LEFT_OUT,
                "Nothing: every step of every submission counts.", "");
}

/* ---- four lines --------------------------------------------------------------------------------- */

static void add_waiting(struct text *text, size_t count, const char *what) {
    if (count)
        add(text, "%s%zu %s", text->length ? ", " : "", count, what);
}

static const char *what_waits(const struct class_page *to) {
    size_t flags = count_grades(to->class, is_undecided);
    struct text text = {0};
    add_waiting(&text, flags, "flagged");
    add_waiting(&text, count_grades(to->class, is_pending) - flags, "still to be graded");
    add_waiting(&text, count_unmatched(to->class), "not matched with the roster");
    add_waiting(&text, count_refused(to), "refused, or worth a look");
    return text.length ? text.bytes : "nothing";
}

static void put_brief(const struct class_page *to) {
    const struct class *class = to->class;
    struct shares shares = shares_of(class);
    struct text verdicts = {0};
    for (size_t v = 0; v <= verdict_count; v++) {
        const char *word = v < verdict_count ? verdict_table[v].word : "";
        add_waiting(&verdicts, count_in_class(class, word), *word ? word : "not graded");
    }
    printf("Verdicts: %s\n", verdicts.length ? verdicts.bytes : "none");
    if (shares.count)
        printf("Points, of each one's maximum: median %.0f%%, lowest %.0f%%, highest %.0f%%\n",
               quantile(shares.share, shares.count, 0.5), shares.share[0],
               shares.share[shares.count - 1]);
    else
        puts("Points: none: no step counts for anybody");
    printf("For a person to look at: %s\n", what_waits(to));
}

/* --brief, SUBMISSIONS.tsv PAGE.md (or "") RESULTS.jsonl */
int view_summary(int count, char **words) {
    bool brief = take_option("brief", &count, &words);
    if (count != 3)
        give_up(2, "needs submissions.tsv, the page to write, and RESULTS.jsonl");
    struct class class = read_class(words[2], assignment_named());
    struct class_page to = {.class = &class, .page = new_page(), .submissions = words[0]};
    const char *title = class.assignment->fact[TITLE].value;
    to.page->columns = 98;
    const char *heading_of =
        say("%s: %s, %s", *title ? printable(title) : "Class",
            plural(class.submissions, "submission"), plural(class.steps, "step"));
    heading(to.page, 1, heading_of);
    to.page->margin = "  ";
    paragraph(to.page, graded_in_words(&class));
    if (class.submissions)
        put_class(&to);
    else
        paragraph(to.page, "There are no records of submissions: ./grade.sh SUBMISSION... grades "
                           "some.");
    if (count_absent(&class))
        put_absent(&to);
    if (count_unmatched(&class))
        put_unmatched(&to);
    if (count_late(&class))
        put_late(&to);
    put_refused(&to);
    if (brief) {
        puts(heading_of);
        put_brief(&to);
    } else
        write_page(to.page, TEXT_PAGE, stdout);
    if (*words[1])
        write_page_to(to.page, MARKDOWN, words[1]);
    return class.status;
}
