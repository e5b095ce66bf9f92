/* For Gradescope, which imports no table: results.json, one for each submission, as an autograder
 * writes it (Gradescope's documentation, Autograder Specifications). */
#include <stdlib.h>

#include "../grades/book.h"
#include "json_write.h"

/* "wrong: bin 7: ..." */
static const char *step_in_words(const struct grade *grade) {
    const char *detail = grade->row ? of_student(grade->row->r.detail, grade->row) : "";
    return say("%s%s%s: %s", grade->verdict, *detail ? ": " : "", detail,
               of_student(grade->how, grade->row));
}

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
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "{\"score\":%s,\"output\":", points(grade_of(book->class, one)));
    json_text(out, feedback_of(book, one));
    fputs(",\"output_format\":\"text\",\"visibility\":\"visible\",\"stdout_visibility\":\"hidden\","
          "\"tests\":[",
          out);
    for (const struct grade *each = one->grade; each->step; each++)
        write_test(out, each, each > one->grade ? "," : "");
    fputs("]}\n", out);
    fclose(out);
    write_text_to(book, say("gradescope/%s.json", file_name(one->name)), text);
    free(text);
}

void write_gradescope(struct book *book) {
    for (const struct submission *one = book->class->submission; one->name; one++)
        if (has_grade(one))
            write_results(book, one);
}
