/* desk/step hint: one of three hints for a step, from its step.md: a question, the idea, and the
 * lines of another step that show it. */
#include <stdlib.h>
#include <string.h>

#include "lib/page.h"
#include "lib/steps.h"
#include "lib/words.h"
#include "views.h"

static const char *text_of(const char *step, const char *title) {
    return text_below(say("%s/%s/step.md", labs_directory(), step), title);
}

/* The first paragraph, or point of a list, that asks something; "" where there is none. */
static const char *first_question(const char *text) {
    const char *next = replaced(text, "\n- ", "\n\n");
    while (*next) {
        next += strspn(next, "\n");
        const char *end = strstr(next, "\n\n");
        const char *part = end ? say("%.*s", (int)(end - next), next) : next;
        if (strchr(part, '?'))
            return part;
        next = end ? end : "";
    }
    return "";
}

static const char *question_of(const char *step) {
    return printable(otherwise(first_question(text_of(step, "## Task")),
                               say("What has to change for this? %s", text_of(step, "## Goal"))));
}

/* What stands between the marks of the solution; a handout has it in common/hints/. */
static void put_lines(struct page *page, const char *step, const char *by) {
    enum { MOST_LINES = 16 };
    const char *kept = say("common/hints/%s", step);
    const char *path = file_text(kept) ? kept : step_source(by);
    bool inside = same(path, kept);
    int shown = 0;
    for (const char **line = lines_of_file(path); *line && shown < MOST_LINES; line++)
        if (strstr(*line, "BEGIN SOLUTION") || strstr(*line, "END SOLUTION")) {
            inside = strstr(*line, "BEGIN") != NULL;
            if (inside && shown)
                preformatted(page, "");
        } else if (inside) {
            preformatted(page, replaced(*line, "\t", "    "));
            shown++;
        }
}

static void put_hint(struct page *page, const char *step, int level) {
    const char *by = step_header(step, "shown-by"), *idea = step_header(step, "idea");
    bool handed_out = file_text("common/handed-out");
    paragraph(page, say("Hint %d of 3 for %s", level, step));
    page->margin = "    ";
    if (begins_with(idea, "(to write"))
        paragraph(page, "This step is your own: what its step.md says is for you to write.");
    else if (level == 1)
        paragraph(page, question_of(step));
    else if (level == 2)
        paragraph(page, idea);
    else if (*by && (!handed_out || file_text(say("common/hints/%s", step)))) {
        paragraph(page, say("%s shows it, for another problem:", by));
        put_lines(page, step, by);
    } else
        paragraph(
            page,
            say("There are no lines to show. make diff-%s shows what you have changed so far%s.",
                short_name(step),
                handed_out ? "" : ", and step.md says what others found difficult"));
}

/* STEP LEVEL */
int view_hint(int count, char **words) {
    if (count != 2 || atoi(words[1]) < 1 || atoi(words[1]) > 3)
        return 2;
    struct page *page = new_page();
    page->columns = 80;
    page->colour = shows_colour();
    put_hint(page, words[0], atoi(words[1]));
    write_page(page, TEXT_PAGE, stdout);
    return 0;
}
