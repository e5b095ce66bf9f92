/* Texts that come from a student, on the page of feedback: the part of a step's log that its
 * student sees, the compiler's errors from the first on or the end of what the step printed; and
 * what stands in step.md, without a meaning that Markdown would give to it. */
#include <ctype.h>
#include <string.h>

#include "../grades/private.h"
#include "feedback.h"
#include "lib/steps.h"
#include "lib/words.h"

/* ---- the log ------------------------------------------------------------------------------------ */

enum { LOG_LINES = 12, LOG_COLUMNS = 160, COMPILER_BYTES = 65536, PRINTED_BYTES = 4096 };

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

/* A program may print any bytes. Tabs would all become one blank. */
static const char *log_line(const char *line, const struct row *row) {
    line = replaced(replaced(line, "\342\200\230", "'"), "\342\200\231", "'");
    return clip(of_student(replaced(without_colours(line), "\t", "    "), row), LOG_COLUMNS);
}

/* Without lines that are empty, and without headings (common/judge/printed.h). */
static struct words lines_of(const char *text, const struct row *row) {
    struct words lines = {0};
    for (const char **at = lines_in(text); *at; at++) {
        const char *line = log_line(*at, row);
        if (!begins_with(*at, "--- ") && line[strspn(line, " ")])
            add_word(&lines, line);
    }
    return lines;
}

static size_t first_error(const struct words *lines) {
    for (size_t i = 0; i < lines->count; i++)
        if (strstr(lines->word[i], "error"))
            return i;
    return 0;
}

/* From the first heading on: what the compilers say comes before it. */
static const char *printed_in(const char *log) {
    const char *heading = begins_with(log, "--- ") ? log : strstr(log, "\n--- ");
    return heading ? heading : "";
}

void put_log(const struct feedback *to, const struct grade *grade) {
    bool compiler = same(grade->verdict, "build-failed");
    const char *all = is_one_of(grade->verdict, "build-failed wrong nondeterministic hazard "
                                                "no-kernel launch-failed crashed timed-out")
                          ? file_text(log_of(to, grade->step))
                          : NULL;
    if (!all)
        return;
    if (compiler)
        all = say("%.*s", COMPILER_BYTES, all);
    else {
        all = printed_in(all);
        size_t length = strlen(all);
        all += length > PRINTED_BYTES ? length - PRINTED_BYTES : 0;
    }
    struct words lines = lines_of(all, grade->row);
    size_t last = lines.count > LOG_LINES ? lines.count - LOG_LINES : 0;
    size_t first = compiler ? first_error(&lines) : last;
    struct text text = {0};
    for (size_t i = first; i < lines.count && i < first + LOG_LINES; i++)
        add(&text, "%s%s", i > first ? "\n" : "", lines.word[i]);
    if (first + LOG_LINES < lines.count)
        add(&text, "\n(%zu more lines)", lines.count - first - LOG_LINES);
    if (!lines.count)
        return;
    const char *margin = to->page->margin;
    paragraph(to->page, compiler ? "The compiler:" : "The end of what it printed:");
    to->page->margin = "    ";
    preformatted(to->page, text.bytes);
    to->page->margin = margin;
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
