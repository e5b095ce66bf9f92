/* A CSV for Canvas: Grades, Import. The row Points Possible says what the maximum is. Canvas finds
 * a person by ID, else by SIS User ID, SIS Login ID or name, and the assignment by the number in
 * its title: "Lab 3 (12345)"; without a number it makes a new assignment.
 * (lib/gradebook_importer.rb and lib/gradebook_exporter.rb of instructure/canvas-lms.) If the
 * roster is what Canvas exports (Grades, Export), it has that title. */
#include <string.h>

#include "../grades/book.h"
#include "lib/page.h"

static const struct platform canvas = {"canvas", "Canvas", "[[:space:]]*\\([0-9]+\\)[[:space:]]*$",
                                       "assignment", "Grades, Export"};

static bool is_maximum(const struct json *row) {
    return strcasestr(own_text(row, 0), "points possible");
}

static const char *own_cell(const struct book *book, const struct entry *entry,
                            const struct json *row, int column) {
    if (column == own_columns(book) && is_maximum(row))
        return total_cell(book);
    return entry ? grade_cell(book, entry) : NULL;
}

static void write_platforms(struct book *book) {
    const int section = column_called(book, "Section");
    int found = column_for_grades(book, "canvas.csv", section + 1, &canvas);
    write_own(book, "canvas.csv", section, found, csv_text(book->title), own_cell);
    const struct json *row;
    for (size_t i = 0; found < own_columns(book) && (row = own_row(book, i)); i++)
        if (is_maximum(row)) {
            compare_total(book, own_text(row, found), "Canvas");
            return;
        }
}

void write_canvas(struct book *book) {
    static const struct column columns[] = {
        {"Student", "name", NULL},       {"ID", "canvas", NULL},
        {"SIS User ID", "number", NULL}, {"SIS Login ID", "login", NULL},
        {"Section", "section", NULL},    {NULL, "", grade_cell}};
    const char *maximum =
        say("\"    Points Possible\",\"\",\"\",\"\",\"\",%s\r\n", total_cell(book));
    if (has_columns(book, "ID|Section") && is_one_of(own_title(book, 0), "Student LastName"))
        write_platforms(book);
    else
        write_entries(book, "canvas.csv", columns, 6, maximum);
}
