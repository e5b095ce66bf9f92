/* Pages as HTML: one file, with its style in it. */
#include <string.h>

#include "page_parts.h"
#include "steps.h"
#include "text.h"

const char *html_escaped(const char *text) {
    struct text result = {0};
    for (text = printable_lines(text); *text; text++) {
        const char *special = "&<>\"", *names[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
        const char *at = strchr(special, *text);
        size_t length = strcspn(text, special);
        if (at)
            add(&result, "%s", names[at - special]);
        else {
            add_bytes(&result, text, length);
            text += length - 1;
        }
    }
    return bytes_of(&result);
}

/* The sign of a verdict, "pass" or "pass, cleared": nobody has to tell colours apart. */
static const char *sign_of(const char *text) {
    const struct verdict *verdict = verdict_of(say("%.*s", (int)strcspn(text, ","), text));
    return *verdict->word ? say("<span class=\"sign\" aria-hidden=\"true\">%s</span> ",
                                html_escaped(verdict->sign))
                          : "";
}

static const char *part(const char *text, int mark) {
    return say("%s%s", mark >= RED && mark <= GREEN ? sign_of(text) : "", html_escaped(text));
}

static const char *html(const char *text) {
    static const struct marks marks = {part,
                                       {[CODE] = "<code>",
                                        [STRONG] = "<b>",
                                        [RED] = "<span class=\"red\">",
                                        [YELLOW] = "<span class=\"yellow\">",
                                        [GREEN] = "<span class=\"green\">"},
                                       {[CODE] = "</code>",
                                        [STRONG] = "</b>",
                                        [RED] = "</span>",
                                        [YELLOW] = "</span>",
                                        [GREEN] = "</span>"},
                                       true};
    return rendered(&marks, text);
}

void begin_html(const struct page *page, FILE *out) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          out);
    if (page->sealed)
        fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
              "style-src 'unsafe-inline'\">\n",
              out);
    fprintf(out, "<title>%s</title>\n<style>\n", html_escaped(page->title ? page->title : ""));
    for (size_t i = 0; i < sizeof page->styles / sizeof *page->styles && page->styles[i]; i++) {
        const char *style = file_text(page->styles[i]);
        fputs(style ? style : "", out);
    }
    fputs("</style>\n</head>\n<body>\n", out);
}

/* The picture is a link to itself: on a narrow screen it can be looked at alone. */
static void write_image(const struct element *element, FILE *out) {
    const char *path = html_escaped(element->more), *text = html_escaped(element->text);
    fprintf(out, "<figure>\n<a href=\"%s\"><img src=\"%s\" alt=\"%s\"></a>\n", path, path, text);
    fprintf(out, "<figcaption>%s</figcaption>\n</figure>\n", text);
}

static void write_cell(const char *name, enum align align, const char *text, const char *more,
                       const char *attributes, FILE *out) {
    bool right = align == RIGHT && !strstr(attributes, " class=");
    fprintf(out, "<%s%s%s%s>%s</%s>", name, right ? " class=\"right\"" : "", more, attributes,
            html(text), name);
}

static void write_row(const struct table *table, const struct table_row *row, FILE *out) {
    fprintf(out, "<tr%s>", row->attributes);
    for (size_t i = 0, c = 0; i < row->cells; c += row->cell[i++].columns) {
        const struct table_cell *cell = &row->cell[i];
        const char *over = cell->columns > 1 ? say(" colspan=\"%zu\"", cell->columns) : "";
        write_cell(cell->is_heading ? "th" : "td", table->column[c].align, cell->text,
                   say("%s%s", cell->is_heading ? " scope=\"row\"" : "", over), cell->attributes,
                   out);
    }
    fputs("</tr>\n", out);
    if (*row->notes)
        fprintf(out, "<tr><td class=\"note\" colspan=\"%zu\">%s</td></tr>\n", table->columns,
                replaced(html_escaped(row->notes), "\n", "<br>"));
}

static void write_table(const struct table *table, FILE *out) {
    fprintf(out, "<div class=\"table\" tabindex=\"0\">\n<table%s>\n<thead>\n<tr>",
            table->attributes);
    for (size_t c = 0; c < table->columns; c++)
        write_cell("th", table->column[c].align, table->column[c].title, " scope=\"col\"",
                   table->column[c].attributes, out);
    fputs("</tr>\n</thead>\n<tbody>\n", out);
    for (size_t r = 0; r < table->rows; r++)
        write_row(table, &table->row[r], out);
    fputs("</tbody>\n</table>\n</div>\n", out);
}

static void write_heading(const struct element *element, FILE *out) {
    const char *id =
        element->more && *element->more ? say(" id=\"%s\"", html_escaped(element->more)) : "";
    fprintf(out, "<h%d%s>%s</h%d>\n", element->level, id, html(element->text), element->level);
}

void write_html(const struct element *element, enum element_is before, FILE *out) {
    if ((element->is == ITEM) != (before == ITEM))
        fputs(element->is == ITEM ? "<ul>\n" : "</ul>\n", out);
    switch (element->is) {
    case HEADING:
        write_heading(element, out);
        break;
    case ITEM:
        fprintf(out, "<li>%s</li>\n", html(element->text));
        break;
    case PREFORMATTED:
        fprintf(out, "<pre>\n%s\n</pre>\n\n", html_escaped(element->text));
        break;
    case IMAGE:
        write_image(element, out);
        break;
    case AS_IT_IS:
        fprintf(out, "%s\n", printable_lines(element->text));
        break;
    case TABLE:
        write_table(element->table, out);
        break;
    default:
        fprintf(out, "<p>%s</p>\n", html(element->text));
    }
}
