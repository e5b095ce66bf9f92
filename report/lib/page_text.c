/* Pages as text for a terminal or a mail. */
#include <string.h>

#include "page_parts.h"
#include "text.h"

static const struct marks without_colours;

#define COLOUR_ENDS "\033[0m"
static const struct marks colours = {
    .begin =
        {[STRONG] = "\033[1m", [RED] = "\033[31m", [YELLOW] = "\033[33m", [GREEN] = "\033[32m"},
    .end = {[STRONG] = COLOUR_ENDS,
            [RED] = COLOUR_ENDS,
            [YELLOW] = COLOUR_ENDS,
            [GREEN] = COLOUR_ENDS}};

static const char *with_colours(const struct page *page, const char *text) {
    return rendered(page->colour ? &colours : &without_colours, text);
}

/* As printable() has it, with our own marks but for links. */
static const char *clean(const char *text) {
    static const struct marks same = {.begin = {"", "\001", "\002", "\003", "\004", "\005"},
                                      .end = {"", "\006", "\006", "\006", "\006", "\006"}};
    return printable_with_marks(rendered(&same, text));
}

static const char *in_lines(const struct page *page, const char *text, const char *margin) {
    return with_colours(page, wrapped(clean(text), margin, page->columns - width(margin)));
}

static const char *heading_of(const struct page *page, int level, const char *text) {
    text = clean(text);
    const char *below = "";
    if (page->spaced)
        below = say("\n%s%s", page->margin, repeated(level == 1 ? "=" : "-", width(text)));
    return say("%s%s%s%s", level > 1 && !page->spaced ? "\n" : "", page->margin,
               with_colours(page, text), below);
}

static const char *fact_of(const struct page *page, const char *label, const char *text) {
    const char *lines = in_lines(page, say("%s: %s", label, text), say("%s  ", page->margin));
    return strlen(lines) > 2 ? lines + 2 : "";
}

static const char *lines_of(const struct page *page, const char *text) {
    text = replaced(printable_lines(text), "\n", say("\n%s", page->margin));
    return say("%s%s", *text ? page->margin : "", text);
}

/* ---- tables ----------------------------------------------------------------------------------- */

/* What is cut loses its marks. */
static const char *content_of(const struct table *table, size_t c, const struct table_cell *cell) {
    const char *text = clean(cell->text);
    size_t most = table->column[c].most;
    return !most || width(text) <= most ? text : clip(rendered(&without_colours, text), most);
}

static size_t room_of(const struct table *table, size_t c) {
    size_t room = width(table->column[c].title);
    if (table->column[c].room)
        return table->column[c].room;
    for (size_t r = 0; r < table->rows; r++) {
        const struct table_row *row = &table->row[r];
        for (size_t i = 0, at = 0; i < row->cells && at <= c; at += row->cell[i++].columns)
            if (at == c && row->cell[i].columns == 1) {
                size_t wide = width(content_of(table, c, &row->cell[i]));
                room = wide > room ? wide : room;
            }
    }
    return room;
}

static void add_cell(struct text *line, const struct page *page, const struct table *table,
                     const size_t *rooms, size_t c, size_t columns, const char *text) {
    size_t room = 0, gap = page->spaced ? 1 : 2;
    for (size_t i = c; i < c + columns && i < table->columns; i++)
        room += rooms[i] + (i > c ? gap : 0);
    add(line, "%*s%s", c ? (int)gap : 0, "",
        table->column[c].align == LEFT ? pad(text, room) : lpad(text, room));
}

static void write_line(const struct page *page, const char *line, FILE *out) {
    line = with_colours(page, line);
    size_t length = strlen(line);
    while (length && line[length - 1] == ' ')
        length--;
    fprintf(out, "%s%.*s\n", page->margin, (int)length, line);
}

static void write_table(const struct page *page, const struct table *table, FILE *out) {
    size_t *rooms = keep((table->columns + 1) * sizeof *rooms);
    struct text line = {0};
    for (size_t c = 0; c < table->columns; c++) {
        rooms[c] = room_of(table, c);
        add_cell(&line, page, table, rooms, c, 1, table->column[c].title);
    }
    write_line(page, strong(bytes_of(&line)), out);
    for (size_t r = 0; r < table->rows; r++) {
        const struct table_row *row = &table->row[r];
        line = (struct text){0};
        for (size_t i = 0, c = 0; i < row->cells; c += row->cell[i++].columns)
            add_cell(&line, page, table, rooms, c, row->cell[i].columns,
                     content_of(table, c, &row->cell[i]));
        write_line(page, bytes_of(&line), out);
        for (const char **note = lines_in(row->notes); *note; note++)
            fprintf(out, "%s\n", in_lines(page, *note, say("%s    ", page->margin)));
    }
}

void write_text(const struct page *page, const struct element *element, enum element_is before,
                FILE *out) {
    bool in_list = (element->is == ITEM || element->is == FACT) && before == ITEM;
    if (page->spaced && before != BEGIN && !in_list)
        fputc('\n', out);
    switch (element->is) {
    case HEADING:
        fprintf(out, "%s\n", heading_of(page, element->level, element->text));
        break;
    case FACT:
        fprintf(out, "%s\n", fact_of(page, element->more, element->text));
        break;
    case PREFORMATTED:
        fprintf(out, "%s\n", lines_of(page, element->text));
        break;
    case AS_IT_IS:
        fprintf(out, "%s\n", printable_lines(element->text));
        break;
    case TABLE:
        write_table(page, element->table, out);
        break;
    default:
        fprintf(out, "%s\n", in_lines(page, element->text, page->margin));
    }
}
