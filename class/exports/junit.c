// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* JUnit XML: a test suite for each submission, a test case for each step. Of the many dialects this
 * uses only what every reader knows: failure and skipped. */
#include <math.h>

#include "../grades/book.h"
#include "lib/page_parts.h"

static const char *attribute_text(const char *text) {
    return replaced(html_escaped(text), "\n", " ");
}

static const char *in_xml(const char *text) { return replaced(html_escaped(text), "\t", " "); }

/* Seconds without an exponent, which XML's decimals do not know. */
static const char *time_of(const struct row *row) {
    if (!row || isnan(row->us))
        return "";
    long long ns = floor(row->us * 1000 + 0.5);
    return say(" time=\"%lld.%09lld\"", ns / 1000000000, ns % 1000000000);
}

static void add_case(struct text *text, const char *who, const struct grade *grade) {
    enum step_is is = step_is(grade);
    add(text, "    <testcase classname=\"%s\" name=\"%s\"%s", who, attribute_text(grade->step),
        time_of(grade->row));
    if (is == PASSED && *grade->basis)
        add(text, "><system-out>%s</system-out></testcase>\n",
            in_xml(of_student(grade->how, grade->row)));
    else if (is == PASSED)
        add(text, "/>\n");
    else if (is == SKIPPED)
        add(text, "><skipped message=\"%s\"/></testcase>\n",
            attribute_text(say("%s%s", grade->left_out, grade->pending)));
    else
        add(text, "><failure message=\"%s\">%s</failure></testcase>\n",
            attribute_text(grade->verdict), in_xml(step_in_words(grade)));
}

/* Submissions as people know them: Zoë (doezoe_123). */
void write_junit(struct book *book) {
    struct text text = {0};
    add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (size_t i = 0; i < book->class->submissions; i++) {
        const struct submission *one = &book->class->submission[i];
        const char *name = person(&book->class->people, one->name, "name");
        const char *who =
            attribute_text(same(name, one->name) ? name : say("%s (%s)", name, one->name));
        size_t count[3] = {0};
        for (size_t s = 0; s < book->class->steps; s++)
            count[step_is(&one->grade[s])]++;
        add(&text,
            "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
            "skipped=\"%zu\">\n",
            who, book->class->steps, count[FAILED], count[SKIPPED]);
        for (size_t s = 0; s < book->class->steps; s++)
            add_case(&text, who, &one->grade[s]);
        add(&text, "  </testsuite>\n");
    }
    add(&text, "</testsuites>\n");
    write_text_to(book, "junit.xml", text.bytes, "UTF-8");
}
