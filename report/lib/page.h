/* The one page writer. A view says once what its page holds; then it is written in any format: text
 * for a terminal or a mail, Markdown, HTML. All text is data: each back end escapes what it would
 * take for markup, and control characters become blanks, so that no view can forget it.
 *
 *     struct page *page = new_page();
 *     heading(page, 1, "Results");
 *     struct table *table = new_table();
 *     table_column(table, "step", LEFT);
 *     row(table), put(table, code("opt05"));
 *     put_table(page, table);
 *     write_page(page, MARKDOWN, stdout);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum format { TEXT_PAGE = 1, MARKDOWN = 2, HTML = 4 };

struct page {
    /* Of text: how wide, what stands before each line of what is said now, whether it is a document
     * (a blank line between elements, lines below headings, narrow tables), a terminal that shows
     * colours. */
    size_t columns;
    const char *margin;
    bool spaced, colour;
    /* Of HTML: its title, files of style, and whether it loads and runs nothing, whatever stands in
     * it. */
    const char *title, *styles[4];
    bool sealed;

    int only; /* the formats that get what is said now; 0 is all */
    struct element *element;
    size_t count;
};

struct page *new_page(void);
void write_page(const struct page *page, enum format format, FILE *out);
void write_page_to(const struct page *page, enum format format, const char *path);

/* ---- elements --------------------------------------------------------------------------------- */

void heading(struct page *page, int level, const char *text);
void heading_at(struct page *page, int level, const char *text, const char *id); /* for links */
void paragraph(struct page *page, const char *text);                             /* "" is none */
void fact(struct page *page, const char *label, const char *text); /* looked up rather than read */
void item(struct page *page, const char *text);
void preformatted(struct page *page, const char *text); /* lines stay as they are */
/* `text` says what the picture shows. Text has no pictures. */
void image(struct page *page, const char *path, const char *text);
void markup(struct page *page, const char *html);   /* ours: for what has no function here */
void as_it_is(struct page *page, const char *text); /* in the page's own language already */
void blank_line(struct page *page);
/* ---- tables ----------------------------------------------------------------------------------- */

enum align { LEFT, RIGHT };

struct table *new_table(void);
void table_column(struct table *table, const char *title, enum align align);
/* room: characters of a page of text, 0 for its widest cell; most: what a cell is cut to, or 0. */
void table_column_of(struct table *table, const char *title, enum align align, size_t room,
                     size_t most);
/* Several: "step|>us a call", > for those of numbers. table_of() is a new table that has them. */
void table_columns(struct table *table, const char *titles);
struct table *table_of(const char *titles);
void row(struct table *table);
void put(struct table *table, const char *text); /* the row's next cell */
/* Several cells of the row; the same of a new one. */
#define put_cells(table, ...) put_list(table, (const char *const[]){__VA_ARGS__, NULL})
#define put_row(table, ...) (row(table), put_cells(table, __VA_ARGS__))
#define put_row_of(table, name, ...)                                                               \
    (row(table), put_heading(table, name), put_cells(table, __VA_ARGS__))
void put_list(struct table *table, const char *const *text);
void put_over(struct table *table, const char *text, size_t columns);
void put_heading(struct table *table, const char *text); /* it names its row */
/* In HTML: of the table, column (its heading), row or cell that was begun last. */
void attribute(struct table *table, const char *name, const char *value);
void row_note(struct table *table, const char *text); /* below the row, on lines of its own */
void put_table(struct page *page, struct table *table);

/* A cell of comma-separated values (RFC 4180), in quotes: none begins as a formula does. */
const char *csv_text(const char *text);

/* ---- marks in a text -------------------------------------------------------------------------- */

const char *code(const char *text);
const char *strong(const char *text);
enum colour { RED = 3, YELLOW, GREEN };
/* Where the page is a terminal that shows it, or HTML: there a verdict has its sign, too. */
const char *coloured(const char *text, enum colour colour);
/* In HTML; `title` is what it says when it is pointed at. */
const char *linked(const char *text, const char *address, const char *title);
/* Ours, with the marks of Markdown in it, as step.md has them: `code`. */
const char *with_marks(const char *text);
