/* Pages as Markdown. Only paragraphs and items begin a line with text of ours or of others:
 * line_of() escapes what means something only there. */
#include <ctype.h>
#include <string.h>

#include "page_parts.h"
#include "text.h"

/* Shown as it was written, and never as markup, HTML or the edge of a table's cell. */
static const char *escaped(const char *text) {
    struct text result = {0};
    const char *begin = printable(text);
    for (text = begin; *text; text++) {
        bool in_word = text > begin && isalnum((unsigned char)text[-1]) &&
                       isalnum((unsigned char)text[1]); /* opt05_multiblock */
        if (strchr("&<>", *text))
            add(&result, "%s", *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : "&gt;");
        else if (strchr("[]\\`*|~$", *text) || (*text == '_' && !in_word))
            add(&result, "\\%c", *text);
        else
            add(&result, "%c", *text);
    }
    return bytes_of(&result);
}

/* In code a backquote would end it. */
static const char *part(const char *text, int mark) {
    return mark == CODE ? replaced(replaced(text, "`", "'"), "|", "\\|") : escaped(text);
}

static const char *markdown(const char *text) {
    static const struct marks marks = {.part = part,
                                       .begin = {[CODE] = "`", [STRONG] = "**"},
                                       .end = {[CODE] = "`", [STRONG] = "**"}};
    return rendered(&marks, text);
}

/* A line that is no list (- + 1.), no heading (# =) and no code. */
static const char *line_of(const char *text) {
    text += strspn(text, " \t");
    size_t digits = strspn(text, "0123456789");
    if (*text && strchr("-+#=", *text))
        return say("\\%s", text);
    if (digits && (text[digits] == '.' || text[digits] == ')'))
        return say("%.*s\\%s", (int)digits, text, text + digits);
    return text;
}

static void write_notes(const char *notes, size_t columns, FILE *out) {
    fputs("| ", out);
    for (const char **note = lines_in(notes), **first = note; *note; note++)
        fprintf(out, "%s%s", note == first ? "" : "<br>", escaped(*note));
    fprintf(out, " |%s\n", repeated(" |", columns - 1));
}

static void write_table(const struct table *table, FILE *out) {
    struct text line = {0}, rule = {0};
    for (size_t c = 0; c < table->columns; c++) {
        const char *title = table->column[c].title;
        add(&line, " %s%s", markdown(title), *title ? " |" : "|");
        add(&rule, "%s", table->column[c].align == LEFT ? "---|" : "--:|");
    }
    fprintf(out, "|%s\n|%s\n", bytes_of(&line), bytes_of(&rule));
    for (size_t r = 0; r < table->rows; r++) {
        const struct table_row *row = &table->row[r];
        fputc('|', out);
        size_t at = 0;
        for (size_t i = 0; i < row->cells; at += row->cell[i++].columns)
            fprintf(out, " %s |%s", markdown(row->cell[i].text),
                    repeated("  |", row->cell[i].columns - 1));
        fprintf(out, "%s\n", at < table->columns ? repeated("  |", table->columns - at) : "");
        if (*row->notes)
            write_notes(row->notes, table->columns, out);
    }
    fputc('\n', out);
}

void write_markdown(const struct element *element, enum element_is before, FILE *out) {
    const char *text = element->text;
    if (before == ITEM && element->is != ITEM)
        fputc('\n', out);
    switch (element->is) {
    case HEADING:
        fprintf(out, "%s %s\n\n", repeated("#", element->level), markdown(text));
        break;
    case ITEM:
        fprintf(out, "- %s\n", line_of(markdown(text)));
        break;
    case PREFORMATTED: /* Markdown takes HTML, and needs no escapes of its own in there */
        fprintf(out, "<pre>\n%s\n</pre>\n\n", html_escaped(text));
        break;
    case IMAGE:
        fprintf(out, "![%s](%s)\n\n", markdown(text), element->more);
        break;
    case AS_IT_IS:
        fprintf(out, "%s\n", printable_lines(text));
        break;
    case TABLE:
        write_table(element->table, out);
        break;
    default:
        fprintf(out, "%s\n\n", line_of(markdown(text)));
    }
}
