/* Two CSVs for Moodle. moodle.csv is for the grade book: Grades, Import, CSV file; there, map Email
 * address or ID number, the grade, and Feedback (grade/import/csv of moodle/moodle).
 * moodle-worksheet.csv is for the assignment: View all submissions, Upload grading worksheet.
 * Moodle finds a person by the number in Identifier, and wants the columns Grade and Last modified
 * (grade), in English (mod/assign/feedback/offline/importgradeslib.php). It is the roster, where
 * that is the grading worksheet that Moodle wrote: its rows stay as they are. */

#include "../grades/book.h"

static const char *own_cell(const struct book *book, const struct entry *entry,
                            const struct json *row, int column) {
    (void)row;
    if (entry && column == column_called(book, "Grade"))
        return grade_cell(book, entry);
    return entry && column == column_called(book, "Feedback comments") ? feedback_cell(book, entry)
                                                                       : NULL;
}

void write_moodle(struct book *book) {
    static const struct column columns[] = {{"Full name", "name", NULL},
                                            {"ID number", "number", NULL},
                                            {"Email address", "email", NULL},
                                            {NULL, "", grade_cell},
                                            {"Feedback", "", feedback_cell}};
    write_entries(book, "moodle.csv", columns, 5, "");
    if (!has_columns(book, "Identifier|Grade|Last modified (grade)"))
        return;
    int maximum = column_called(book, "Maximum Grade");
    write_own(book, "moodle-worksheet.csv", own_columns(book) - 1, NOWHERE, "", own_cell);
    compare_total(book, own_text(own_row(book, 1), maximum), "Moodle");
}
