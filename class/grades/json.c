/* The points of each submission as a JSON object on a line. */
#include "views.h"

#include <math.h>
#include <stdio.h>

#include "json_write.h"
#include "lib/text.h"
#include "points.h"
#include "private.h"

/* "KEY":TEXT, behind what stands before it. */
static void put_text(const char *before, const char *key, const char *text) {
    printf("%s\"%s\":", before, key);
    json_text(stdout, text);
}

static const char *number(double value) { return isnan(value) ? "null" : say("%.9g", value); }

static const char *line_of(const struct row *row) { return row ? say("%zu", row->line) : "null"; }

static void print_step(const struct grade *grade) {
    const struct row *row = grade->row;
    put_text("{", "step", grade->step);
    put_text(",", "verdict", grade->verdict);
    put_text(",", "detail", row ? of_student(row->r.detail, row) : "");
    put_text(",", "when", row ? row->r.when : "");
    printf(",\"correct\":%s,\"correct_max\":%s,\"speed\":%s,\"speed_max\":%s,",
           amount_text(grade->correct), amount_text(grade->correct_max), amount_text(grade->speed),
           amount_text(grade->speed_max));
    printf("\"idea_points\":%s,\"idea_max\":%s,\"points\":%s,\"max\":%s,", amount_text(grade->idea),
           amount_text(grade->idea_max), points(points_of(grade)), points(maximum_of(grade)));
    printf("\"seconds_a_call\":%s,\"ratio\":%s,\"predicted\":%s,\"line\":%s,\"ours_line\":%s",
           number(row ? row->us / 1e6 : NAN), number(grade->ratio),
           *grade->basis ? "true" : "false", line_of(row), line_of(grade->ours));
    put_text(",", "how", of_student(grade->how, row));
    put_text(",", "left_out", grade->left_out);
    put_text(",", "pending", grade->pending);
    printf("}");
}

static void print_submission(const struct class *class, const struct submission *one) {
    const struct lateness *late = &one->late;
    amount grade = grade_of(class, one);
    put_text("{", "submission", one->name);
    put_text(",", "name", file_name(one->name));
    printf(",\"points\":%s,\"max\":%s,\"full\":%s,", points(one->total), points(one->total_max),
           points(class->full_marks));
    printf("\"grade\":%s,\"total\":%s,", has_grade(one) ? points(grade) : "null",
           amount_text(grade_total(class)));
    printf("\"late\":{\"days\":%ld,\"free_days\":%ld,\"percent\":%s,\"taken_off\":%s,", late->days,
           late->free, amount_text(late->percent), points(grade_less(class, one, 0) - grade));
    printf("\"extension\":%ld", late->extension < 0 ? 0 : late->extension);
    put_text(",", "how", late->how);
    printf("},\"steps\":[");
    for (size_t s = 0; s < class->steps; s++) {
        printf("%s", s ? "," : "");
        print_step(&one->grade[s]);
    }
    puts("]}");
}

int view_json(int count, char **words) {
    struct class class = read_class(words[count - 1], assignment_named());
    for (size_t i = 0; i < class.submissions; i++)
        print_submission(&class, &class.submission[i]);
    return class.status;
}
