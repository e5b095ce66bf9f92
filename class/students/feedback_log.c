/* The part of a step's log that its student sees: the compiler's errors from the first on, or the
 * end of what the step printed. */
#include <ctype.h>
#include <string.h>

#include "../grades/private.h"
#include "feedback.h"

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
