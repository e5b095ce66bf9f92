// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* For Autolab. autolab/NAME.json is an autoresult, one for each submission: it has to be the last
 * line of an autograder's output. autolab.csv is for Bulk Upload Grades, with scores: an e-mail
 * address and a score for each problem, in their order, without a first line of names
 * (app/controllers/assessment/grading.rb of autolab/Autolab). The problems of the assessment are
 * the steps: same names, same order. Their scores add up to the grade. */
#include "../grades/book.h"
#include "json_write.h"
#include "lib/page.h"

/* Each step's share of the grade, rounded so that the sum is the grade; "" where it is skipped. */
static const char **shares_of(const struct book *book, const struct submission *one) {
    const char **share = keep((book->class->steps + 1) * sizeof *share);
    amount grade = grade_of(book->class, one), sum = 0, before = 0, given = 0;
    for (size_t s = 0; s < book->class->steps; s++)
        sum += hundredths(points_of(&one->grade[s]));
    for (size_t s = 0; s < book->class->steps; s++) {
        amount part =
            sum > 0 ? scaled(grade, before += hundredths(points_of(&one->grade[s])), sum, 0) : 0;
        share[s] = step_is(&one->grade[s]) == SKIPPED ? "" : points(part - given);
        given = part;
    }
    return share;
}

static void write_result(const struct book *book, const struct submission *one) {
    FILE *out = begin_file(book, say("autolab/%s.json", file_name(one->name)));
    const char **share = shares_of(book, one), *before = "{\"scores\":{";
    for (size_t s = 0; s < book->class->steps; s++) {
        if (!*share[s])
            continue;
        fputs(before, out);
        json_text(out, one->grade[s].step);
        fprintf(out, ":%s", share[s]);
        before = ",";
    }
    fprintf(out, "%s},\"scoreboard\":[%s]}\n", *before == ',' ? "" : before,
            points(grade_of(book->class, one)));
    end_file(book, out);
}

void write_autolab(struct book *book) {
    struct text text = {0};
    bool any = false;
    for (size_t i = 0; i < book->class->submissions; i++)
        if (has_grade(&book->class->submission[i]))
            write_result(book, &book->class->submission[i]);
    for (size_t i = 0; i < book->entries; i++) {
        const struct entry *entry = &book->entry[i];
        bool is_known = is_matched(entry) && *entry->email;
        any |= is_known;
        if (!is_known || !has_grade(entry->of))
            continue;
        const char **share = shares_of(book, entry->of);
        add(&text, "%s", csv_text(entry->email));
        for (size_t s = 0; s < book->class->steps; s++)
            add(&text, ",%s", share[s]);
        add(&text, "\r\n");
    }
    if (!any) {
        add(&book->said, "export: autolab.csv is not written: nobody's e-mail address is known "
                         "(--roster)\n");
        return;
    }
    write_text_to(book, "autolab.csv", bytes_of(&text), "UTF-8");
    list_those_without(book, "autolab.csv", "an e-mail address", "Autolab", OF(email));
}
