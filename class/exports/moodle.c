/* Two CSVs for Moodle. moodle.csv is for the grade book: Grades, Import, CSV file; there, map Email
 * address or ID number, the grade, and Feedback (grade/import/csv of moodle/moodle).
 * moodle-worksheet.csv is for the assignment: View all submissions, Upload grading worksheet.
 * Moodle finds a person by the number in Identifier, and wants the columns Grade and Last modified
 * (grade), in English (mod/assign/feedback/offline/importgradeslib.php). It is the roster, where
 * that is the grading worksheet that Moodle wrote: its rows stay as they are. */

#include "../grades/book.h"

void write_moodle(struct book *book) {
    static const struct column columns[] = {{"Full name", "name", NULL},
                                            {"ID number", "number", NULL},
                                            {"Email address", "email", NULL},
                                            {NULL, "", grade_cell},
                                            {"Feedback", "", feedback_cell}};
    write_entries(book, "moodle.csv", columns, 5, "");
}
