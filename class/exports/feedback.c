/* The pages of feedback, to be sent back all at once. feedback/moodle/ is for the assignment: View
 * all submissions, Upload multiple feedback files in a zip; Moodle finds a person by the number in
 * NAME_NUMBER_assignsubmission_file_... (mod/assign/feedback/file/importziplib.php).
 * feedback/canvas/ is for Re-Upload Submissions: Canvas finds one by the numbers of user and file
 * in the name that it gave when the submissions were downloaded (app/models/assignment.rb).
 * class/export zips the folders. feedback-mail.csv is for a mail merge: whom, what, and the page to
 * attach. */
#include <string.h>

#include "../grades/book.h"
#include "lib/page.h"

/* Whether anybody knows where it goes. A roster of Canvas's has Canvas's numbers. */
static bool write_page_of(const struct book *book, const struct entry *entry, bool of_canvas) {
    const char *page =
        file_text(beside(book->results, say("feedback/%s.html", file_name(entry->of->name))));
    const char *canvas = entry_cell(entry, "answer");
    const char *name = printable(entry_cell(entry, "name")), *number = entry_cell(entry, "canvas");
    bool has_number = matches(number, "^[0-9]+$") && !of_canvas;
    if (!page)
        return false;
    if (*canvas)
        write_text_to(book, say("feedback/canvas/%s_feedback.html", canvas), page);
    else if (has_number)
        write_text_to(book,
                      say("feedback/moodle/%s_%s_assignsubmission_file_feedback.html",
                          replaced(replaced(name, "_", " "), "/", " "), number),
                      page);
    return *canvas || has_number;
}

static const char *page_cell(const struct book *book, const struct entry *entry) {
    (void)book;
    return csv_text(say("../feedback/%s.html", file_name(entry->of->name)));
}

void write_feedback_form(struct book *book) {
    static const struct column mail[] = {{"email", "email", NULL},
                                         {"name", "name", NULL},
                                         {NULL, "", grade_cell},
                                         {"attachment", "", page_cell}};
    write_entries(book, "feedback-mail.csv", mail, 4, "");
    const char *titles = *lines_of_file(beside(book->results, "roster.csv"));
    bool of_canvas = titles && strstr(titles, "SIS User ID");
    size_t people = 0, left_out = 0; /* a group's page is of each of them */
    for (size_t i = 0; i < book->entries; i++)
        if (*book->entry[i].of->name && is_matched(&book->entry[i])) {
            people++;
            left_out += !write_page_of(book, &book->entry[i], of_canvas);
        }
    if (left_out)
        add(&book->listed,
            "export: feedback: not written for %zu of %zu people: only a download by Moodle or Canvas, "
            "or Moodle's worksheet as the roster, tells where a page goes. All pages are in %s\n",
            left_out, people, beside(book->results, "feedback/"));
}
