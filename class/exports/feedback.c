/* The pages of feedback, to be sent back all at once. feedback/moodle/ is for the assignment: View
 * all submissions, Upload multiple feedback files in a zip; Moodle finds a person by the number in
 * NAME_NUMBER_assignsubmission_file_... (mod/assign/feedback/file/importziplib.php).
 * feedback/canvas/ is for Re-Upload Submissions: Canvas finds one by the numbers of user and file
 * in the name that it gave when the submissions were downloaded (app/models/assignment.rb).
 * class/export zips the folders. */
#include <string.h>

#include "../grades/book.h"

struct feedback {
    struct book *book;
    struct people handed_in; /* as class/lms/take.pl writes it, with the same shape */
    const char **submission; /* lines of submissions.tsv */
    bool of_canvas;          /* the roster, and so its numbers */
};

/* How Canvas called a file of theirs, to its numbers: doejane_4711_99001; "" if nobody knows. */
static const char *name_at_canvas(const struct feedback *to, const char *submission) {
    const char *given = "";
    for (const char **line = to->submission; *line; line++) {
        struct words cells = pieces_of(*line, "\t");
        if (cells.count > 1 && same(cells.word[0], submission))
            given = base_name(cells.word[1]);
    }
    for (const struct person *one = to->handed_in.one; one->columns; one++)
        if (same(person_cell(one, "key"), given))
            given = person_cell(one, "answer");
    return matches(given, "^[^_]+_(LATE_)?[0-9]+_[0-9]+(_|$)") ? given : "";
}

/* Its first parts between _: three, or four where it is late. */
static const char *with_numbers(const char *name) {
    size_t length = 0;
    for (int parts = strstr(name, "_LATE_") ? 4 : 3; parts; parts--)
        length += strcspn(name + length, "_") + (parts > 1);
    return say("%.*s", (int)length, name);
}

/* Whether anybody knows where it goes. A roster of Canvas's has Canvas's numbers. */
static bool write_page_of(const struct feedback *to, const struct entry *entry) {
    const char *page =
        file_text(beside(to->book->results, say("feedback/%s.html", file_name(entry->of->name))));
    const char *canvas = name_at_canvas(to, entry->of->name);
    const char *name = printable(entry_cell(entry, "name")), *number = entry_cell(entry, "canvas");
    bool has_number = matches(number, "^[0-9]+$") && !to->of_canvas;
    if (!page)
        return false;
    if (*canvas)
        write_text_to(to->book, say("feedback/canvas/%s_feedback.html", with_numbers(canvas)),
                      page);
    else if (has_number)
        write_text_to(to->book,
                      say("feedback/moodle/%s_%s_assignsubmission_file_feedback.html",
                          replaced(replaced(name, "_", " "), "/", " "), number),
                      page);
    return *canvas || has_number;
}

void write_feedback_form(struct book *book) {
    struct feedback to = {book, read_people(beside(book->results, "handed-in.tsv")),
                          lines_of_file(beside(book->results, "submissions.tsv")), false};
    const char *titles = *lines_of_file(beside(book->results, "roster.csv"));
    to.of_canvas = titles && strstr(titles, "SIS User ID");
    size_t people = 0, left_out = 0; /* a group's page is of each of them */
    for (size_t i = 0; i < book->entries; i++)
        if (is_matched(&book->entry[i])) {
            people++;
            left_out += !write_page_of(&to, &book->entry[i]);
        }
    if (left_out)
        add(&book->listed,
            "export: feedback: not written for %zu of %zu people: only a download by Moodle or Canvas, "
            "or Moodle's worksheet as the roster, tells where a page goes. All pages are in %s\n",
            left_out, people, beside(book->results, "feedback/"));
}
