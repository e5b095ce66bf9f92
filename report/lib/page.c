#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "page_parts.h"
#include "text.h"

struct page *new_page(void) {
    struct page *page = keep(sizeof *page);
    *page = (struct page){.columns = 96, .margin = "", .styles = {"report/lib/page.css"}};
    return page;
}

static void add_element(struct page *page, struct element element) {
    element.only = element.only ? element.only : page->only;
    element.margin = page->margin;
    append(page->element, page->count, element);
}

void heading_at(struct page *page, int level, const char *text, const char *id) {
    add_element(page, (struct element){.is = HEADING, .level = level, .text = text, .more = id});
}

void heading(struct page *page, int level, const char *text) {
    heading_at(page, level, text, NULL);
}

void paragraph(struct page *page, const char *text) {
    if (*text)
        add_element(page, (struct element){.is = PARAGRAPH, .text = text});
}

void fact(struct page *page, const char *label, const char *text) {
    add_element(page, (struct element){.is = FACT, .text = text, .more = label});
}

void item(struct page *page, const char *text) {
    add_element(page, (struct element){.is = ITEM, .text = text});
}

void preformatted(struct page *page, const char *text) {
    add_element(page, (struct element){.is = PREFORMATTED, .text = text});
}

void image(struct page *page, const char *path, const char *text) {
    add_element(page,
                (struct element){.is = IMAGE, .only = MARKDOWN | HTML, .text = text, .more = path});
}

void markup(struct page *page, const char *html) {
    add_element(page, (struct element){.is = AS_IT_IS, .only = HTML, .text = html});
}

void as_it_is(struct page *page, const char *text) {
    add_element(page, (struct element){.is = AS_IT_IS, .text = text});
}

void blank_line(struct page *page) { as_it_is(page, ""); }

void put_table(struct page *page, struct table *table) {
    add_element(page, (struct element){.is = TABLE, .table = table});
}

void write_page(const struct page *page, enum format format, FILE *out) {
    enum element_is before = BEGIN;
    if (format == HTML)
        begin_html(page, out);
    for (size_t i = 0; i < page->count; i++) {
        struct element element = page->element[i];
        if (element.only && !(element.only & format))
            continue;
        if (element.is == FACT && format != TEXT_PAGE) {
            element.is = ITEM;
            element.text = say("%s %s", strong(say("%s:", element.more)), element.text);
        }
        struct page here = *page;
        here.margin = element.margin;
        if (format == HTML)
            write_html(&element, before, out);
        else if (format == MARKDOWN)
            write_markdown(&element, before, out);
        else
            write_text(&here, &element, before, out);
        before = element.is == FACT ? ITEM : element.is;
    }
    if (format == HTML)
        fprintf(out, "%s</body>\n</html>\n", before == ITEM ? "</ul>\n" : "");
}

void write_page_to(const struct page *page, enum format format, const char *path) {
    FILE *out = fopen(path, "w");
    if (out)
        write_page(page, format, out);
    if (!out || fclose(out) != 0) {
        fprintf(stderr, "cannot write %s\n", printable(path));
        exit(3);
    }
}

/* ---- tables ----------------------------------------------------------------------------------- */

struct table *new_table(void) {
    struct table *table = keep(sizeof *table);
    *table = (struct table){.attributes = ""};
    table->begun = &table->attributes;
    return table;
}

void table_column_of(struct table *table, const char *title, enum align align, size_t room,
                     size_t most) {
    append(table->column, table->columns, (struct table_column){title, "", align, room, most});
    table->begun = &table->column[table->columns - 1].attributes;
}

void table_column(struct table *table, const char *title, enum align align) {
    table_column_of(table, title, align, 0, 0);
}

void table_columns(struct table *table, const char *titles) {
    struct words title = pieces_of(titles, "|");
    for (size_t i = 0; i < title.count; i++) {
        bool is_number = *title.word[i] == '>';
        table_column(table, title.word[i] + is_number, is_number ? RIGHT : LEFT);
    }
}

struct table *table_of(const char *titles) {
    struct table *table = new_table();
    table_columns(table, titles);
    return table;
}

void row(struct table *table) {
    append(table->row, table->rows, (struct table_row){.notes = "", .attributes = ""});
    table->begun = &table->row[table->rows - 1].attributes;
}

static void put_cell(struct table *table, struct table_cell cell) {
    struct table_row *row = &table->row[table->rows - 1];
    cell.attributes = "";
    append(row->cell, row->cells, cell);
    row->columns += cell.columns;
    table->begun = &row->cell[row->cells - 1].attributes;
}

void put(struct table *table, const char *text) {
    put_cell(table, (struct table_cell){.text = text, .columns = 1});
}

void put_list(struct table *table, const char *const *text) {
    for (; *text; text++)
        put(table, *text);
}

void put_over(struct table *table, const char *text, size_t columns) {
    put_cell(table, (struct table_cell){.text = text, .columns = columns});
}

void put_heading(struct table *table, const char *text) {
    put_cell(table, (struct table_cell){.text = text, .columns = 1, .is_heading = true});
}

void attribute(struct table *table, const char *name, const char *value) {
    *table->begun = say("%s %s=\"%s\"", *table->begun, name, html_escaped(value));
}

void row_note(struct table *table, const char *text) {
    const char **notes = &table->row[table->rows - 1].notes;
    *notes = say("%s%s%s", *notes, **notes ? "\n" : "", printable(text));
}

/* Whether a spreadsheet would take a text for a formula; wide signs are the same to some. */
static bool is_formula(const char *text) {
    static const char *const passed_over[] = {
        " ", "\n", "\302\240", "\342\200\200", "\342\200\203", "\342\200\211", "\343\200\200"};
    static const char *const sign[] = {
        "=", "+", "@", "-", "\357\274\235", "\357\274\213", "\357\274\240", "\357\274\215"};
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++)
        if (begins_with(text, passed_over[i])) {
            text += strlen(passed_over[i]);
            i = (size_t)-1;
        }
    for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
        if (begins_with(text, sign[i]))
            return text[strlen(sign[i])];
    return false;
}

const char *csv_text(const char *text) {
    text = replaced(printable_lines(text), "\t", " ");
    return say("\"%s%s\"", is_formula(text) ? "'" : "", replaced(text, "\"", "\"\""));
}

/* ---- marks ------------------------------------------------------------------------------------ */

static const char *marked(int mark, const char *text) {
    return say("%c%s%c", mark, printable(text), END_OF_MARK);
}

const char *code(const char *text) { return *text ? marked(CODE, text) : ""; }

const char *strong(const char *text) { return marked(STRONG, text); }

const char *coloured(const char *text, enum colour colour) { return marked(colour, text); }

const char *linked(const char *text, const char *address, const char *title) {
    return say("%c%s%c%s%c%s%c", LINK, printable(address), LINK_PART, printable(title), LINK_PART,
               printable(text), END_OF_MARK);
}

const char *with_marks(const char *text) {
    struct text result = {0};
    text = printable(text);
    for (const char *begin, *end; (begin = strchr(text, '`')); text = end + 1) {
        if (!(end = strchr(begin + 1, '`')))
            break;
        add(&result, "%.*s%s", (int)(begin - text), text,
            code(say("%.*s", (int)(end - begin - 1), begin + 1)));
    }
    add(&result, "%s", text);
    return result.bytes;
}

static const char *text_or_nothing(const char *text) { return text ? text : ""; }

const char *rendered(const struct marks *marks, const char *text) {
    static const char all[] = "\001\002\003\004\005\006\007";
    struct text result = {0};
    int open = 0;
    for (;;) {
        size_t length = strcspn(text, all);
        const char *part = say("%.*s", (int)length, text);
        if (length)
            add(&result, "%s", marks->part ? marks->part(part, open) : part);
        text += length;
        if (!*text)
            return bytes_of(&result);
        int mark = *text++;
        if (mark == LINK) {
            size_t address = strcspn(text, "\010");
            const char *title = text + address + (text[address] != '\0');
            size_t size = strcspn(title, "\010");
            if (marks->links)
                add(&result, "<a href=\"%s\"%s>", html_escaped(say("%.*s", (int)address, text)),
                    size ? say(" title=\"%s\"", html_escaped(say("%.*s", (int)size, title))) : "");
            text = title + size + (title[size] != '\0');
        } else if (mark == END_OF_MARK)
            add(&result, "%s",
                open != LINK   ? text_or_nothing(marks->end[open])
                : marks->links ? "</a>"
                               : "");
        else
            add(&result, "%s", text_or_nothing(marks->begin[mark]));
        open = mark == END_OF_MARK ? 0 : mark;
    }
}
