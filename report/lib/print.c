#include "rows.h"

#include <string.h>

#include "utf8.h"

const char *row_text(const char *text) {
    struct text result = {0};
    const unsigned char *s = (const unsigned char *)text, *end = s + strlen(text);
    while (s < end) {
        size_t length = utf8_length(s, end - s);
        bool odd = !length || utf8_is_hidden(utf8_code_point(s, length));
        length = length ? length : 1;
        if (strchr("\\\t\n", *s))
            add(&result, "\\%c", *s == '\t' ? 't' : *s == '\n' ? 'n' : '\\');
        else
            for (size_t i = 0; i < length; i++)
                add(&result, odd ? "\\x%02X" : "%c", s[i]);
        s += length;
    }
    return bytes_of(&result);
}

static const char *numbers_cell(const struct record_numbers *numbers) {
    struct text text = {0};
    for (size_t i = 0; i < numbers->count; i++)
        add(&text, "%s%.15g", i ? " " : "", numbers->item[i]);
    return bytes_of(&text);
}

/* ---- columns: report/README.md says what each means --------------------------------------------- */

enum column_is { TEXT, NUMBER, NUMBERS, COUNT, BOOL, TRUTH };
#define COLUMN(name, is, field)                                                                    \
    { name, is, offsetof(struct row, field) }
#define SAME(is, field) COLUMN(#field, is, r.field)
#define OWN(field) COLUMN(#field, NUMBER, field)
#define OF_DEVICE(is, field) COLUMN(#field, is, device.field)

/* clang-format off */
static const struct column {
    const char *name;
    enum column_is is;
    size_t offset;
} columns[] = {
    COLUMN("line", COUNT, line), COLUMN("file", TEXT, file), COLUMN("counts", BOOL, counts), SAME(TEXT, submission),
    SAME(TEXT, step), SAME(TEXT, kind), SAME(TEXT, problem), SAME(TEXT, input), SAME(NUMBER, rows),
    SAME(NUMBER, columns), OWN(elements), SAME(NUMBER, bytes), SAME(TEXT, verdict),
    COLUMN("success", BOOL, success), SAME(TEXT, intended), SAME(TEXT, outcome), SAME(TEXT, detail),
    SAME(TEXT, diagnosis), OWN(faults), OWN(remarks), SAME(NUMBER, more_hazards),
    SAME(NUMBER, error), COLUMN("counted_gpu", TEXT, counted.gpu),
    COLUMN("counted_rows", NUMBER, counted.rows), COLUMN("counted_columns", NUMBER, counted.columns),
    COLUMN("idea", TEXT, idea), OWN(predicted_us), OWN(predicted_low_us), OWN(predicted_high_us),
    SAME(TEXT, predicted_gpu), SAME(TEXT, predicted_limit), SAME(TEXT, predicted_with),
    COLUMN("device_kind", TEXT, device.kind), COLUMN("device", TEXT, device.name),
    OF_DEVICE(TEXT, driver), OF_DEVICE(TEXT, uuid), OF_DEVICE(NUMBER, sms),
    OF_DEVICE(NUMBER, l2_bytes), OF_DEVICE(NUMBER, spec_gbps), SAME(NUMBER, iterations),
    SAME(NUMBER, calls), COLUMN("scaled", TRUTH, r.scaled), COLUMN("samples", NUMBERS, r.samples_s), OWN(seconds), OWN(us),
    OWN(us_low), OWN(us_high), SAME(NUMBER, gbps), OWN(speedup), SAME(NUMBER, roof_fraction), SAME(NUMBER, roof_gbps), OWN(roof_speedup),
    OWN(spec_speedup), OWN(reference), OWN(synced_us), OWN(synced_fraction), OWN(synced_speedup),
    COLUMN("energy_joules", NUMBER, joules),
    COLUMN("energy_watts", NUMBER, watts), COLUMN("energy_idle_watts", NUMBER, idle_watts),
    SAME(NUMBER, overhead_s), SAME(NUMBER, sm_mhz), SAME(NUMBER, memory_mhz),
    SAME(NUMBER, samples_asked), SAME(NUMBER, budget_s), COLUMN("title", TEXT, title),
    OWN(gtx680_seconds), OWN(gtx680_speedup), SAME(TEXT, notes), SAME(TEXT, seed),
    SAME(TEXT, source_sha256), SAME(NUMBER, schema), SAME(TEXT, harness), SAME(TEXT, timing),
    COLUMN("cub", TEXT, build.cub), SAME(TEXT, machine), SAME(TEXT, when)
};
/* clang-format on */

static const char *cell(const struct row *row, const struct column *column) {
    const char *at = (const char *)row + column->offset;
    switch (column->is) {
    case TEXT:
        return row_text(*(const char *const *)at);
    case NUMBER:
        return plain_number(*(const double *)at);
    case NUMBERS:
        return numbers_cell((const struct record_numbers *)at);
    case COUNT:
        return say("%zu", *(const size_t *)at);
    case BOOL:
        return *(const bool *)at ? "1" : "0";
    case TRUTH:
        break;
    }
    static const char *const truths[] = {"", "0", "1"};
    return truths[*(const enum record_truth *)at];
}

enum { COLUMNS = sizeof columns / sizeof *columns };

static const struct column *column_called(const char *name, size_t length) {
    for (size_t c = 0; c < COLUMNS; c++)
        if (strncmp(columns[c].name, name, length) == 0 && !columns[c].name[length])
            return &columns[c];
    return NULL;
}

const char *cell_of(const struct row *row, const char *name) {
    const struct column *column = column_called(name, strlen(name));
    return row && column ? cell(row, column) : "";
}

const char *key_part(const struct row *row, const char *name, size_t length) {
    const struct column *column = column_called(name, length);
    const char *at = (const char *)row + column->offset;
    return column->is == TEXT ? *(const char *const *)at : plain_number(*(const double *)at);
}

void print_rows(const struct rows *rows) {
    for (size_t c = 0; c < COLUMNS; c++)
        printf("%s%s", c ? "\t" : "", columns[c].name);
    putchar('\n');
    foreach (row, rows) {
        for (size_t c = 0; c < COLUMNS; c++)
            printf("%s%s", c ? "\t" : "", cell(row, &columns[c]));
        putchar('\n');
    }
}
