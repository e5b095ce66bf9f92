/* What report/one-step shows of a log, in which the compilers and the step have written. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/steps.h"
#include "one_step.h"

static size_t room_of(const struct page *page) { return page->columns - width(page->margin); }

/* The directory that LABS lies in, as the shell names it. */
static const char *tree_root(void) {
    char *here = get_current_dir_name();
    const char *labs = labs_directory();
    const char *path = *labs == '/' ? labs : say("%s/%s", here ? here : "", labs);
    free(here);
    return beside(path, "");
}

/* A line that begins with a path, as editors take it: from the tree's root on, and with :12: for
 * the (12): of nvcc. */
static const char *tidy(const char *line) {
    const char *root = tree_root();
    line += begins_with(line, root) ? strlen(root) : 0;
    size_t path = strcspn(line, "(): "), digits = 0;
    if (path && line[path] == '(')
        digits = strspn(line + path + 1, "0123456789");
    const char *after = line + path + 1 + digits;
    return digits && begins_with(after, "): ")
               ? say("%.*s:%.*s%s", (int)path, line, (int)digits, line + path + 1, after + 1)
               : line;
}

/* ---- errors ----------------------------------------------------------------------------------- */

static bool is_error(const char *line) {
    if (begins_with(line, "make") || begins_with(line, "collect2"))
        return false;
    return strstr(line, "undefined reference") || strstr(line, "multiple definition") ||
           (strstr(line, "error") && matches(line, "(^|[: ])error( #[-0-9D]+)? *:"));
}

/* "      |      ^~~~": below a line that is cut off it would point at nothing. */
static bool is_mark(const char *line) { return line[strspn(line, " ")] == '|'; }

/* Of a function that was called in another way, and is not the emulator's own. */
static bool tells_parameters(const char *line) {
    const char *note = strstr(line, "note:");
    return note && strstr(note, " candidate") && !strstr(note, "emulator::");
}

void put_errors(struct page *page, const char **line, const char *log, const char *detail) {
    enum { MOST_ERRORS = 3, MOST_LINES = 3 };
    struct text text = {0};
    int errors = 0, follow = 0, told = 0;
    for (; *line && errors <= MOST_ERRORS; line++)
        if (is_error(*line) && !(text.length && strstr(text.bytes, tidy(*line)))) {
            follow = MOST_LINES;
            if (++errors <= MOST_ERRORS) /* in one piece, for the editors that read it */
                add(&text, "%s%s", text.length ? "\n" : "", tidy(*line));
        } else if (follow > 0 && (**line == ' ' || **line == '\t')) {
            follow--;
            if (!is_mark(*line) || width(*line) <= room_of(page))
                add(&text, "\n%s", clip(*line, room_of(page)));
        } else if (told < errors && tells_parameters(*line)) {
            told = errors;
            add(&text, "\n      %s", strstr(*line, "note:"));
        } else
            follow = 0;
    if (errors)
        preformatted(page, text.bytes);
    if (errors > MOST_ERRORS)
        paragraph(page, say("and more%s%s", *log ? ": " : "", log));
    if (!errors && *detail)
        paragraph(page, detail);
}

/* The compiler's lines come before all headings. */
void put_warnings(struct page *page, const char *log, const char *step, int most) {
    const char *own = say("/%s/", step);
    int warnings = 0;
    for (const char **line = lines_of_file(log); *line && !begins_with(*line, "--- "); line++) {
        const char *what = strstr(*line, "warning");
        const char *folder = strstr(*line, own);
        if (!what || !folder || folder > what || !matches(*line, ": warning( #[-0-9D]+)? *:"))
            continue;
        if (++warnings == 1)
            blank_line(page);
        if (warnings <= most)
            preformatted(page, tidy(*line));
    }
    if (warnings > most)
        paragraph(page, say("and %s: %s", plural(warnings - most, "more warning"), tidy(log)));
}

/* ---- what the step printed ---------------------------------------------------------------------- */

enum { MOST_SHOWN = 20 };

/* A trial that printed, below headings of common/judge/findings/printed.h: its name, the first part
 * that printed, which is shown, the part that is read, how many lines there are. */
struct printed {
    const char *name, *first, *part;
    size_t lines, count;
    const char *shown[MOST_SHOWN];
};

static void take_line(struct printed *trial, const char *line) {
    if (!trial->lines++)
        trial->first = trial->part;
    if (trial->part == trial->first && trial->count < MOST_SHOWN)
        trial->shown[trial->count++] = replaced(line, "\t", "    ");
}

/* What stands behind --- is a heading, or else the step has printed that, too. */
static bool take_heading(struct printed *trial, const char *text) {
    if (matches(text, "^[0-9]+ more lines were printed"))
        trial->lines += strtoul(text, NULL, 10);
    else if (matches(text, "^(set-up|call [0-9]+( again)?|later calls|tear-down)$"))
        trial->part = say(", %s", text);
    else
        return false;
    return true;
}

/* A heading may stand above lines of the emulator only: that trial printed nothing. */
static size_t read_trials(const char **line, struct printed **trials) {
    struct printed *trial = NULL;
    size_t count = 0;
    for (; *line; line++) {
        const char *text = begins_with(*line, "--- ") ? *line + 4 : "";
        if (begins_with(text, "check (") || begins_with(text, "graded (")) {
            if (!trial || trial->lines)
                *trials = keep_more(*trials, count++, sizeof *trial);
            trial = &(*trials)[count - 1];
            *trial = (struct printed){.name = text, .first = "", .part = ""};
        } else if (same(text, "counted"))
            break;
        else if (trial && !(*text && take_heading(trial, text)) &&
                 !begins_with(*line, "emulator: ")) /* that is the harness's */
            take_line(trial, *line);
    }
    return trial && !trial->lines ? count - 1 : count;
}

void put_printed(struct page *page, const char **line, const char *log, bool passed) {
    struct printed *trials = NULL;
    size_t count = read_trials(line, &trials);
    if (!count)
        return;
    const struct printed *trial = &trials[passed ? 0 : count - 1];
    const char *margin = page->margin;
    struct text text = {0};
    if (!page->spaced)
        blank_line(page);
    paragraph(page, say("%s, in the %s%s:", strong("It printed"), trial->name, trial->first));
    page->margin = say("%s    ", margin);
    for (size_t i = 0; i < trial->count; i++)
        add(&text, "%s%s", i ? "\n" : "", clip(trial->shown[i], room_of(page)));
    if (text.length)
        preformatted(page, text.bytes);
    page->margin = margin;
    const size_t left = trial->lines - trial->count;
    const char *more = left ? plural(left, "more line") : "";
    const char *others = count > 1 ? "what it printed in other runs" : "";
    if (*more || *others)
        paragraph(page, say("%s %s%s%s", *log ? say("See %s for", tidy(log)) : "and", more,
                            *more && *others ? " and " : "", others));
}
