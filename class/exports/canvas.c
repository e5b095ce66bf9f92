/* A CSV for Canvas: Grades, Import. The row Points Possible says what the maximum is. Canvas finds
 * a person by ID, else by SIS User ID, SIS Login ID or name, and the assignment by the number in
 * its title: "Lab 3 (12345)"; without a number it makes a new assignment.
 * (lib/gradebook_importer.rb and lib/gradebook_exporter.rb of instructure/canvas-lms.) If the
 * roster is what Canvas exports (Grades, Export), it has that title, and own.pl writes it. */
#include "../grades/book.h"

void write_canvas(struct book *book) {
    static const struct column columns[] = {
        {"Student", "name", NULL},       {"ID", "canvas", NULL},
        {"SIS User ID", "number", NULL}, {"SIS Login ID", "login", NULL},
        {"Section", "section", NULL},    {NULL, "", grade_cell}};
    write_entries(book, "canvas.csv", columns, 6,
                  say("\"    Points Possible\",\"\",\"\",\"\",\"\",%s\r\n", total_cell(book)));
}
