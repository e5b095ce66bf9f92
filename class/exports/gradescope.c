/* For Gradescope, which imports no table: results.json, one for each submission, as an autograder
 * writes it (Gradescope's documentation, Autograder Specifications). */
#include "../grades/book.h"
#include "json_write.h"

static void write_test(FILE *out, const struct grade *grade, const char *before) {
    static const char *const status[] = {"\"status\":\"passed\"", "\"status\":\"failed\""};
    bool counts = step_is(grade) != SKIPPED && maximum_of(grade);
    fprintf(out, "%s{\"name\":", before);
    json_text(out, grade->step);
    fprintf(out, ",\"score\":%s,\"max_score\":%s,\"output\":", points(points_of(grade)),
            points(maximum_of(grade)));
    json_text(out, step_in_words(grade));
    fprintf(out, ",\"output_format\":\"text\",\"visibility\":\"visible\"%s%s}", counts ? "," : "",
            counts ? status[step_is(grade)] : "");
}

static void write_results(const struct book *book, const struct submission *one) {
    FILE *out = begin_file(book, say("gradescope/%s.json", file_name(one->name)));
    fprintf(out, "{\"score\":%s,\"output\":", points(grade_of(book->class, one)));
    json_text(out, feedback_of(book, one));
    fputs(",\"output_format\":\"text\",\"visibility\":\"visible\",\"stdout_visibility\":\"hidden\","
          "\"tests\":[",
          out);
    for (const struct grade *each = one->grade; each->step; each++)
        write_test(out, each, each > one->grade ? "," : "");
    fputs("]}\n", out);
    end_file(book, out);
}

void write_gradescope(struct book *book) {
    for (const struct submission *one = book->class->submission; one->name; one++)
        if (has_grade(one))
            write_results(book, one);
}
