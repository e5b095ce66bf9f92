/* What a page is made of, for the back ends. */
#pragma once

#include "page.h"

enum element_is { BEGIN, HEADING, PARAGRAPH, FACT, ITEM, PREFORMATTED, IMAGE, AS_IT_IS, TABLE };

struct element {
    enum element_is is;
    int level, only;
    const char *margin;
    const char *text, *more; /* an id, a label, a short form, a path */
    const struct table *table;
};

struct table_column {
    const char *title, *attributes;
    enum align align;
    size_t room, most;
};

struct table_cell {
    const char *text, *attributes;
    size_t columns;
    bool is_heading;
};

struct table_row {
    struct table_cell *cell;
    size_t cells, columns;
    const char *notes, *attributes; /* notes: lines */
};

struct table {
    struct table_column *column;
    struct table_row *row;
    size_t columns, rows;
    const char *attributes;
    const char **begun; /* the attributes of what was begun last */
};

/* Marks are control characters, which printable() takes out of data. */
enum mark { CODE = 1, STRONG = 2, END_OF_MARK = 6, LINK = 7, LINK_PART = 8 };

/* What a format has for marks: what begins and ends each, up to GREEN, and how the text between
 * marks, or within one (0: none), is written; NULL: as it is. */
struct marks {
    const char *(*part)(const char *text, int mark);
    const char *begin[6], *end[6];
    bool links; /* whether it has any */
};
const char *rendered(const struct marks *marks, const char *text);

/* Each writes an element; `before` is what was written last. */
void write_text(const struct page *page, const struct element *element, enum element_is before,
                FILE *out);
void write_markdown(const struct element *element, enum element_is before, FILE *out);
void write_html(const struct element *element, enum element_is before, FILE *out);
void begin_html(const struct page *page, FILE *out);
const char *html_escaped(const char *text);
