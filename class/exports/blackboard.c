/* A file for Blackboard's Grade Center: Work Offline, Upload. Blackboard finds a person by
 * Username, and a column by the number at the end of its title: "Lab 3 [Total Pts: 20 Score]
 * |12345"; without a number it makes a new column, of text, which is no grade. Cells between commas
 * stand in quotes (Blackboard Help, Work Offline with Grade Data). So the roster has to be what
 * Work Offline, Download writes; its encoding (UTF-16 with tabs, in a file .xls) stays, too. */
#include <string.h>

#include "../grades/book.h"
#include "lib/page.h"

static const struct platform blackboard = {
    "blackboard", "Blackboard",
    "[[:space:]]*(\\[Total Pts:[^]]*\\])?[[:space:]]*\\|[0-9]+[[:space:]]*$", "column",
    "Work Offline, Download"};

static const char *own_cell(const struct book *book, const struct entry *entry,
                            const struct json *row, int column) {
    (void)row, (void)column;
    return entry ? csv_text(grade_cell(book, entry)) : NULL;
}

static void write_platforms(struct book *book) {
    int people = 0;
    while (people < own_columns(book) && !matches(own_title(book, people), blackboard.number))
        people++;
    const char *separator = json_get_text(json_member(book->own, "separator"), "");
    const char *file = *separator == '\t' ? "blackboard.xls" : "blackboard.csv";
    int found = column_for_grades(book, file, people, &blackboard);
    write_own(book, file, people - 1, found, csv_text(book->title), own_cell);
    const char *title = own_title(book, found);
    const char *total = strstr(title, "[Total Pts: ");
    total = total ? total + strlen("[Total Pts: ") : "";
    compare_total(book, say("%.*s", (int)strspn(total, "0123456789.,"), total), "Blackboard");
}

void write_blackboard(struct book *book) {
    if (has_columns(book, "Username|Last Name") || has_columns(book, "Username|First Name"))
        write_platforms(book);
    else
        add(&book->listed,
            "export: blackboard: nothing is written: it needs --roster FILE, which Grade Center, Work "
            "Offline, Download writes\n");
}
