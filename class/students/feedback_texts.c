/* Texts that come from a student, on the page of feedback: of a step's log the compiler's errors or
 * what the step printed, as at the desk; and what stands in step.md, without a meaning that
 * Markdown would give to it. */
#include <ctype.h>
#include <string.h>

#include "../grades/private.h"
#include "feedback.h"
#include "lib/steps.h"
#include "lib/words.h"
#include "views/one_step.h"

/* ---- the log ------------------------------------------------------------------------------------ */

/* What it is called in the folder; a name that is odd is none. */
static const char *log_of(const struct feedback *to, const char *step) {
    const char *who = to->of->name;
    return same(file_name(who), who) && same(file_name(step), step)
               ? beside(to->results, say("logs/%s/%s.log", who, step))
               : "";
}

/* Without what colours a terminal. */
static const char *without_colours(const char *line) {
    struct text text = {0};
    for (const char *begin; (begin = strstr(line, "\033["));) {
        const char *end = begin + 2 + strspn(begin + 2, "0123456789;");
        bool colours = isalpha((unsigned char)*end);
        add_bytes(&text, line, (colours ? begin : begin + 2) - line);
        line = colours ? end + 1 : begin + 2;
    }
    add(&text, "%s", line);
    return text.bytes;
}

void put_log(const struct feedback *to, const struct grade *grade) {
    enum { MOST_BYTES = 1 << 20 };
    const char *all = is_one_of(grade->verdict, "build-failed wrong nondeterministic hazard "
                                                "no-kernel launch-failed crashed timed-out")
                          ? file_text(log_of(to, grade->step))
                          : NULL;
    const char **lines = lines_in(all ? say("%.*s", MOST_BYTES, all) : NULL);
    for (const char **line = lines; *line; line++) {
        const char *plain = replaced(replaced(*line, "\342\200\230", "'"), "\342\200\231", "'");
        /* Tabs would all become one blank, and what follows an error begins with one. */
        *line = of_student(replaced(without_colours(plain), "\t", "    "), grade->row);
    }
    if (same(grade->verdict, "build-failed"))
        put_errors(to->page, lines, "", "");
    else
        put_printed(to->page, lines, "", false);
}

/* ---- step.md ------------------------------------------------------------------------------------- */

enum { WORDS_LINES = 300 /* of a step */ };

/* Lines that are longer than the page of text are wrapped. */
static void put_lines(struct page *page, const char *text) {
    const char *margin = page->margin;
    struct text lines = {0};
    page->margin = say("%s  ", margin);
    const size_t columns = page->columns - width(page->margin);
    for (const char **at = lines_in(without_comments(text)); *at; at++) {
        const char *line = replaced(*at, "\t", "    ");
        if (*line || (lines.length && at[1]))
            add(&lines, "%s%s", lines.length ? "\n" : "",
                width(line) > columns ? wrapped(printable(line), "", columns) : line);
    }
    preformatted(page, bytes_of(&lines));
    page->margin = margin;
}

static const char *without_blanks(const char *text) {
    return replaced(replaced(replaced(text, " ", ""), "\t", ""), "\n", "");
}

/* A section that our own step.md has, too, is nobody's own words. */
static bool is_handed_out(const char *step, const char *text) {
    size_t count;
    const struct section *ours =
        read_sections(say("%s/%s/step.md", labs_directory(), step), 0, &count);
    const char *plain = without_blanks(text);
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = same(without_blanks(ours[i].text), plain);
    return found;
}

void put_words(const struct feedback *to, const char *step) {
    const char *who = to->of->name;
    if (!same(file_name(who), who) || !same(file_name(step), step))
        return; /* no name of a folder */
    size_t count, shown = 0;
    const struct section *section = read_sections(
        beside(to->results, say("submissions/%s/labs/%s/step.md", who, step)), WORDS_LINES, &count);
    for (size_t i = 0; i < count; i++) {
        const char *title = section[i].title, *text = section[i].text;
        if (same(title, "## Task") || !is_written(text) || is_handed_out(step, text))
            continue;
        if (!shown++) {
            markup(to->page, "<section class=\"words\">");
            heading(to->page, 3, "Your journal");
        }
        if (*title)
            paragraph(to->page, strong(title + strlen("## ")));
        put_lines(to->page, text);
    }
    if (shown)
        markup(to->page, "</section>");
}
