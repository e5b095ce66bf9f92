/* What class/points prints. */
#include "views.h"

#include "facts.h"

static void print_step(const struct grade *grade) {
    printf("  %s%s of %s", pad(printable(grade->step), 26), lpad(points(points_of(grade)), 5),
           pad(points(maximum_of(grade)), 4));
    if (grade->row)
        printf("  #%zu", grade->row->line);
    if (grade->ours)
        printf(", ours #%zu", grade->ours->line);
    printf("\n      %s\n", printable(grade->how));
}

int view_points(int count, char **words) {
    struct class class = read_class(words[count - 1]);
    for (const struct submission *one = class.submission; one->name; one++) {
        printf("%s %s\n", pad(printable(one->name), 24), total_in_words(one));
        if (class.assignment->fact[TOTAL].number || *one->late.how)
            printf("  grade: %s\n", printable(grade_in_words(&class, one)));
        for (const struct grade *grade = one->grade; grade->step; grade++)
            print_step(grade);
        putchar('\n');
    }
    printf("#N: line N of %s. Maximum: what the rubric gives for the steps that count.\n",
           printable(words[count - 1]));
    return class.status;
}
