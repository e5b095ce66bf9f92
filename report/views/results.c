#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/counters.h"
#include "lib/text.h"
#include "views.h"

const char cpu_has_no_speed[] =
    "The cpu device is an emulation: it checks correctness and not speed.";

static void count_step(struct results *results, const struct list *inputs) {
    bool passed = true, intended = false;
    for (size_t i = 0; i < inputs->count; i++) {
        passed = passed && inputs->row[i]->success;
        intended = intended || !has_verdict(inputs->row[i], "pass");
    }
    results->steps++;
    results->passed += passed;
    results->intended += passed && intended;
}

struct results results_of(const struct list *list) {
    struct results results = {0};
    struct list steps = {0};
    for (size_t i = 0; i < list->count; i++) {
        struct row *row = list->row[i];
        if (has_verdict(row, "not-started")) {
            append(results.waiting, results.not_started, row->r.step);
            continue;
        }
        list_row(&results.begun, row);
        if (is_step(row))
            list_row(&steps, row);
    }
    struct lists each = group_rows(&steps, "submission step");
    for (size_t i = 0; i < each.count; i++)
        count_step(&results, &each.list[i]);
    return results;
}

const char *passed_in_words(const struct results *results) {
    return say("%zu of %zu steps passed%s", results->passed, results->steps,
               results->intended ? say(", %zu of them wrong as intended", results->intended) : "");
}

void note_failure(struct table *table, const struct row *of) {
    if (has_verdict(of, "pass"))
        return;
    if (*of->r.detail)
        row_note(table, of->r.detail);
    if (*of->r.diagnosis)
        row_note(table, of->r.diagnosis);
}

/* ---- columns ------------------------------------------------------------------------------------ */

static const char *us(const struct row *of) { return significant(of->us, 4); }
static const char *speedup(const struct row *of) { return with_unit(of->speedup, 2, "x"); }
static const char *gbps(const struct row *of) { return significant(of->r.gbps, 4); }
static const char *of_roof(const struct row *of) { return percent(of->r.roof_fraction); }
static const char *latency(const struct row *of) { return significant(of->synced_us, 4); }
static const char *its_speedup(const struct row *of) {
    return with_unit(of->synced_speedup, 2, "x");
}
static const char *of_its_roof(const struct row *of) { return percent(of->synced_fraction); }
static const char *energy(const struct row *of) { return significant(1000 * of->joules, 4); }
static const char *watts(const struct row *of) { return significant(of->watts, 3); }
static const char *predicted(const struct row *of) {
    return isnan(of->predicted_us) ? "-" : say("~%s", significant(of->predicted_us, 3));
}

static const char *error_shown(const struct row *of) {
    return isnan(of->r.error) ? "-" : say("%.3g", of->r.error);
}

#define KNOWN(field) offsetof(struct row, field)
const struct figure figures[FIGURES] = {
    {"us a call", "us/call ", 10, KNOWN(us), us},
    {"speedup", "speedup", 8, KNOWN(speedup), speedup},
    {"GB/s", "GB/s", 8, KNOWN(r.gbps), gbps},
    {"% of the roof", "% roof", 8, KNOWN(r.roof_fraction), of_roof},
    {"latency, us", "latency", 9, KNOWN(synced_us), latency},
    {"its speedup", "speedup", 8, KNOWN(synced_speedup), its_speedup},
    {"its % of the roof", "% roof", 8, KNOWN(synced_fraction), of_its_roof},
    {"mJ a call", "mJ", 8, KNOWN(joules), energy},
    {"W", "", 0, KNOWN(joules), watts},
    {"relative error", "rel. error", 11, KNOWN(r.error), error_shown},
    {"us a call, predicted, not measured", "", 0, KNOWN(predicted_us), predicted},
};
