// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* report/tsv: columns of the rows, for programs that know no empty cells. */
#include "views.h"

#include <stdio.h>
#include <string.h>

#include "lib/text.h"

#define TEXT(name, field)                                                                          \
    { name, offsetof(struct row, field), true, 1 }
#define NUMBER(name, field)                                                                        \
    { name, offsetof(struct row, field), false, 1 }
#define THOUSANDTH(name, field)                                                                    \
    { name, offsetof(struct row, field), false, 1000 }

static const struct column {
    const char *name;
    size_t offset;
    bool is_text;
    double divisor;
} columns[] = {
    TEXT("submission", r.submission),
    TEXT("device", device.name),
    TEXT("device_kind", device.kind),
    TEXT("when", r.when),
    TEXT("problem", r.problem),
    TEXT("input", r.input),
    TEXT("kind", r.kind),
    TEXT("step", r.step),
    TEXT("title", title),
    TEXT("verdict", r.verdict),
    NUMBER("scaled", scaled),
    NUMBER("seconds", seconds),
    THOUSANDTH("seconds_low", us_low),
    THOUSANDTH("seconds_high", us_high),
    NUMBER("us", us),
    NUMBER("gbps", r.gbps),
    NUMBER("speedup", speedup),
    NUMBER("speedup_low", speedup_low),
    NUMBER("speedup_high", speedup_high),
    NUMBER("roof_fraction", r.roof_fraction),
    NUMBER("roof_gbps", r.roof_gbps),
    NUMBER("spec_gbps", device.spec_gbps),
    NUMBER("roof_speedup", roof_speedup),
    NUMBER("spec_speedup", spec_speedup),
    NUMBER("reference", reference),
    NUMBER("bytes", r.bytes),
    NUMBER("elements", elements),
    NUMBER("gtx680_seconds", gtx680_seconds),
    NUMBER("gtx680_speedup", gtx680_speedup),
    NUMBER("multiprocessors", device.sms),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *cell(const struct row *row, const struct column *column) {
    const char *at = (const char *)row + column->offset;
    if (!column->is_text)
        return number_or_nan(*(const double *)at / column->divisor);
    const char *text = *(const char *const *)at;
    return text_for_gnuplot(strcmp(column->name, "when") == 0 ? leading(text, 10) : text);
}

int view_tsv(int count, char **words) {
    struct rows rows = {0};
    rows_of(&rows, words, count);
    struct list list = all_rows(&rows);
    sort_rows(&list, "submission problem device");
    for (size_t c = 0; c < COLUMNS; c++)
        printf("%s%s", c ? "\t" : "", columns[c].name);
    putchar('\n');
    for (size_t i = 0; i < list.count; i++) {
        for (size_t c = 0; c < COLUMNS; c++)
            printf("%s%s", c ? "\t" : "", cell(list.row[i], &columns[c]));
        putchar('\n');
    }
    return rows.status;
}
