/* Two CSVs for Moodle. moodle.csv is for the grade book: Grades, Import, CSV file; there, map Email
 * address or ID number, the grade, and Feedback (grade/import/csv of moodle/moodle).
 * moodle-worksheet.csv is for the assignment: View all submissions, Upload grading worksheet.
 * Moodle finds a person by the number in Identifier, and wants the columns Grade and Last modified
 * (grade), in English (mod/assign/feedback/offline/importgradeslib.php). It is the roster, where
 * that is the grading worksheet that Moodle wrote: its rows stay as they are. */
#include "../grades/book.h"
#include "lib/page.h"

static const char *grade_and_feedback(const struct book *book, const struct entry *entry) {
    return say("%s,%s", grade_cell(book, entry), feedback_cell(book, entry));
}

void write_moodle(struct book *book) {
    write_entries(book, "moodle.csv",
                  say("\"Full name\",\"ID number\",\"Email address\",%s,\"Feedback\"\r\n",
                      csv_text(book->title)),
                  "name number email", grade_and_feedback);
}
