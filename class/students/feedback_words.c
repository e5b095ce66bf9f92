// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What students wrote in step.md, for their page of feedback. Their words are data: of Markdown
 * only what is known here has a meaning (paragraphs, lists, headings, blocks of code, `code`), and
 * the page writer escapes the rest. */
#include "lib/words.h"

#include <string.h>

#include "../grades/private.h"
#include "feedback.h"
#include "lib/steps.h"
#include "lib/text.h"

enum { WORDS_LINES = 300 /* of a step */, WORDS_COLUMNS = 400 /* of a line of code */ };

/* The lines of a paragraph, a list's item or a block of code that were read so far. */
struct piece {
    struct page *page;
    enum { WORDS, LIST_ITEM, CODE_BLOCK } is;
    struct text text;
};

/* Shows what was read, and begins a piece of that kind. */
static void end_piece(struct piece *piece, int next) {
    const char *text = bytes_of(&piece->text), *margin = piece->page->margin;
    if (piece->is == LIST_ITEM)
        item_or(piece->page, with_marks(text), say("- %s", with_marks(text)));
    else if (piece->is == CODE_BLOCK && *text) {
        piece->page->margin = say("%s  ", margin);
        preformatted(piece->page, text);
        piece->page->margin = margin;
    } else if (*text)
        paragraph(piece->page, with_marks(text));
    piece->text = (struct text){0};
    piece->is = next;
}

static void add_code(struct piece *piece, const char *line) {
    add(&piece->text, "%s%s", piece->text.length ? "\n" : "",
        clip(replaced(line, "\t", "    "), WORDS_COLUMNS));
}

static bool is_indented(const char *line) { return begins_with(line, "    ") || *line == '\t'; }

static void add_code_line(struct piece *piece, const char *line) {
    if (piece->is != CODE_BLOCK)
        end_piece(piece, CODE_BLOCK);
    add_code(piece, line + (is_indented(line) ? strspn(line, " ") ? 4 : 1 : 0));
}

static void put_title(struct piece *piece, const char *line) {
    end_piece(piece, WORDS);
    line += strspn(line, "#");
    paragraph(piece->page, strong(line + strspn(line, " ")));
}

/* How long the mark of a list's item is, up to its blank: "  12." is 5; 0 where there is none. */
static size_t length_of_mark(const char *line) {
    size_t indent = strspn(line, " "), digits = strspn(line + indent, "0123456789");
    const char *mark = line + indent + digits;
    bool marks = *mark && strchr(digits ? ".)" : "-*+", *mark);
    return indent <= 3 && marks && (mark[1] == ' ' || mark[1] == '\t') ? indent + digits + 1 : 0;
}

static void begin_item(struct piece *piece, const char *line, size_t length) {
    end_piece(piece, LIST_ITEM);
    const char *mark = line + strspn(line, " "), *text = line + length;
    text += strspn(text, " \t");
    if (strchr("-*+", *mark))
        add(&piece->text, "%s", text);
    else
        add(&piece->text, "%.*s %s", (int)(line + length - mark), mark, text);
}

static void add_line(struct piece *piece, const char *line) {
    size_t marks = strspn(line, "#"), mark = length_of_mark(line);
    bool in_block = piece->is == CODE_BLOCK || (piece->is == WORDS && !piece->text.length);
    if (!line[strspn(line, " \t")])
        end_piece(piece, WORDS);
    else if (*line == '|' || (is_indented(line) && in_block))
        add_code_line(piece, line);
    else if (marks && line[marks] == ' ')
        put_title(piece, line);
    else if (mark)
        begin_item(piece, line, mark);
    else {
        if (piece->is == CODE_BLOCK)
            end_piece(piece, WORDS);
        add(&piece->text, "%s%s", piece->text.length ? " " : "", line + strspn(line, " \t"));
    }
}

static void put_pieces(struct page *page, const char *text) {
    struct piece piece = {.page = page};
    bool fenced = false;
    for (text = without_comments(text); *text;) {
        size_t length = strcspn(text, "\n");
        const char *line = say("%.*s", (int)length, text);
        text += length + (text[length] != '\0');
        if (begins_with(line, "```") || begins_with(line, "~~~")) {
            end_piece(&piece, fenced ? WORDS : CODE_BLOCK);
            fenced = !fenced;
        } else if (fenced)
            add_code(&piece, line);
        else
            add_line(&piece, line);
    }
    end_piece(&piece, WORDS);
}

/* ---- which sections ----------------------------------------------------------------------------- */

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
        put_pieces(to->page, text);
    }
    if (shown)
        markup(to->page, "</section>");
}
