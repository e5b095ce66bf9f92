/* A CSV for Canvas: Grades, Import. The row Points Possible says what the maximum is. Canvas finds
 * a person by ID, else by SIS User ID, SIS Login ID or name, and the assignment by the number in
 * its title: "Lab 3 (12345)"; without a number it makes a new assignment.
 * (lib/gradebook_importer.rb and lib/gradebook_exporter.rb of instructure/canvas-lms.) If the
 * roster is what Canvas exports (Grades, Export), it has that title, and own.pl writes it. */
#include "../grades/book.h"
#include "lib/page.h"

void write_canvas(struct book *book) {
    write_entries(book, "canvas.csv",
                  say("\"Student\",\"ID\",\"SIS User ID\",\"SIS Login ID\",\"Section\",%s\r\n"
                      "\"    Points Possible\",\"\",\"\",\"\",\"\",%s\r\n",
                      csv_text(book->title), total_cell(book)),
                  "name canvas number login section", grade_cell);
}
