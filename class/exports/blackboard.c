/* A file for Blackboard's Grade Center: Work Offline, Upload. Blackboard finds a person by
 * Username, and a column by the number at the end of its title: "Lab 3 [Total Pts: 20 Score]
 * |12345"; without a number it makes a new column, of text. Cells between commas stand in quotes
 * (Blackboard Help, Work Offline with Grade Data). If the roster is what Work Offline, Download
 * writes, it has that title; its encoding (UTF-16 with tabs, in a file .xls) stays, too. */
#include <string.h>

#include "../grades/book.h"
#include "lib/page.h"

static const char number[] = "\\|[0-9]+[[:space:]]*$";

static const char *quoted_grade(const struct book *book, const struct entry *entry) {
    return csv_text(grade_cell(book, entry));
}

static const char *own_cell(const struct book *book, const struct entry *entry,
                            const struct json *row, int column) {
    (void)row;
    bool is_grade = column == own_columns(book) || matches(own_title(book, column), number);
    return entry && is_grade ? quoted_grade(book, entry) : NULL;
}

static void write_platforms(struct book *book) {
    const int columns = own_columns(book);
    int *grade = keep((columns + 1) * sizeof *grade), people = columns;
    size_t grades = 0;
    for (int c = columns; c-- > 0;)
        if (matches(own_title(book, c), number))
            people = c;
    for (int c = people; c < columns; c++)
        if (matches(own_title(book, c), number) && !strstr(own_title(book, c), "Total Pts: up to"))
            grade[grades++] = c;
    int found =
        column_for_grades(book, "blackboard", grade, grades,
                          "[[:space:]]*(\\[Total Pts:[^]]*\\])?[[:space:]]*\\|[0-9]+[[:space:]]*$");
    const char *title = own_title(book, found);
    const char *separator = json_get_text(json_member(book->own, "separator"), "");
    const char *file = *separator == '\t' ? "blackboard.xls" : "blackboard.csv";
    write_own(book, file, people - 1, found == NOWHERE ? columns : found, csv_text(book->title),
              own_cell);
    if (found == NOWHERE) {
        add(&book->said,
            "export: %s: Blackboard makes a new column of '%s': for one that it has, give --title its "
            "name with the number, as Work Offline, Download writes it\n",
            file, printable(book->title));
        return;
    }
    add(&book->said, "export: %s: the grades are for '%s'\n", file, printable(title));
    const char *total = strstr(title, "[Total Pts: ");
    total = total ? total + strlen("[Total Pts: ") : "";
    compare_total(book, say("%.*s", (int)strspn(total, "0123456789.,"), total), "Blackboard");
}

static bool has_login(const struct entry *entry) { return is_matched(entry) && *entry->login; }

void write_blackboard(struct book *book) {
    static const struct column columns[] = {
        {"Username", OF(login), NULL}, {"Name", OF(name), NULL}, {NULL, 0, quoted_grade}};
    static const char *const user[] = {"Username", NULL};
    if (has_columns(book, user) && (column_called(book, "Last Name") != NOWHERE ||
                                    column_called(book, "First Name") != NOWHERE))
        write_platforms(book);
    else {
        write_entries(book, "blackboard.csv", columns, 3, "", has_login);
        list_those_without(book, "blackboard.csv", "a user name", "Blackboard", OF(login));
    }
}
