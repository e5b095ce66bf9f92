/* What students wrote in step.md, for their page of feedback: as it stands, without a meaning that
 * Markdown would give to it. */
#include "lib/words.h"

#include <string.h>

#include "../grades/private.h"
#include "feedback.h"
#include "lib/steps.h"

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

static bool is_same_text(const char *a, const char *b) {
    static const char blanks[] = " \t\n";
    for (;; a++, b++) {
        a += strspn(a, blanks);
        b += strspn(b, blanks);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* A section that our own step.md has, too, is nobody's own words. */
static bool is_handed_out(const char *step, const char *text) {
    size_t count;
    const struct section *ours =
        read_sections(say("%s/%s/step.md", labs_directory(), step), 0, &count);
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = is_same_text(ours[i].text, text);
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
