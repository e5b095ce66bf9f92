// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* report/stale: what of recorded files is no longer what would be measured today. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/source.h"
#include "lib/steps.h"
#include "lib/text.h"
#include "views.h"

/* How something is measured: calls, samples, budget. */
struct protocol {
    double calls, samples, budget;
};

/* Today's: of the graded input cold, which is a problem's first, and of all else. */
struct today {
    const char *timing;
    struct protocol graded, other;
};

/* How many records are not today's for one reason, and why the last of them is not. */
struct reason {
    size_t count;
    const char *text;
};

static bool source_has_changed(const struct row *row) {
    const char *source = say("%s/%s.cu", row->r.step, row->r.problem);
    const char *path = say("%s/%s", labs_directory(), source);
    if (is_source(path, row->r.source_sha256))
        return false;
    puts(printable(say("labs/%s is not what was recorded in %s: %s. To do: `make record` on the "
                       "GPU, then commit",
                       source, base_name(row->file),
                       file_text(path) ? "it has changed" : "there is no such file now")));
    return true;
}

static bool check_sources(const struct rows *rows) {
    struct map checked = {0};
    bool changed = false;
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = rows->row[i];
        void **held = find(&checked, say("%s %s", row->r.source_sha256, row->r.step));
        if (is_step(row) && !*held) {
            *held = "checked";
            changed |= source_has_changed(row);
        }
    }
    return changed;
}

static struct protocol asked_of(const struct row *row, const struct today *today,
                                struct map *graded_inputs) {
    size_t cold = strlen(row->r.input) - strlen(", warm");
    if (strlen(row->r.input) >= strlen(", warm") && strcmp(row->r.input + cold, ", warm") == 0)
        return today->other;
    const char **graded = (const char **)find(graded_inputs, row->r.problem);
    *graded = *graded ? *graded : row->r.input;
    return strcmp(*graded, row->r.input) == 0 ? today->graded : today->other;
}

static const char *in_words(const struct protocol *protocol) {
    return say("%s calls, %s samples, a budget of %s s", plain_number(protocol->calls),
               plain_number(protocol->samples), plain_number(protocol->budget));
}

static void add_reason(struct reason *reason, const char *text) {
    reason->count++;
    reason->text = text;
}

/* One reason for each record: a record without a schema does not know the others. */
static void check_timing(const struct rows *rows, const struct today *today) {
    struct reason reasons[3] = {0};
    struct map graded_inputs = {0};
    for (size_t i = 0; i < rows->count; i++) {
        const struct record_fields *r = &rows->row[i]->r;
        struct protocol own = {r->iterations, r->samples_asked, r->budget_s}, asked;
        if (!(r->schema >= RECORD_VERSION))
            add_reason(&reasons[0], say("%s: they do not say all that records say today",
                                        r->schema > 0 ? say("have schema %s, and now there is %d",
                                                            plain_number(r->schema), RECORD_VERSION)
                                                      : "are from before records had a schema"));
        else if (strcmp(r->timing, today->timing) != 0)
            add_reason(&reasons[1], say("were timed by other code (%s, now %s)",
                                        *r->timing ? r->timing : "unknown", today->timing));
        else if (!isnan(own.samples)) {
            asked = asked_of(rows->row[i], today, &graded_inputs);
            if (own.calls != asked.calls || own.samples != asked.samples ||
                own.budget != asked.budget)
                add_reason(&reasons[2], say("follow another protocol (%s, now %s)", in_words(&own),
                                            in_words(&asked)));
        }
    }
    for (int i = 0; i < 3; i++)
        if (reasons[i].count)
            puts(printable(say("%s: %zu of %zu records %s. `make record` on that GPU renews them",
                               base_name(rows->row[0]->file), reasons[i].count, rows->count,
                               reasons[i].text)));
}

static struct protocol read_protocol(const char *text) {
    struct protocol protocol = {NAN, NAN, NAN};
    sscanf(text, "%lf %lf %lf", &protocol.calls, &protocol.samples, &protocol.budget);
    return protocol;
}

/* --timing=VERSION --graded="CALLS SAMPLES BUDGET" --other=..., then files. */
int view_stale(int count, char **words) {
    struct today today = {.timing = take_option("timing", &count, &words)};
    bool changed = false;
    today.graded = read_protocol(take_option("graded", &count, &words));
    today.other = read_protocol(take_option("other", &count, &words));
    for (int i = 0; i < count; i++) {
        struct rows rows = {0};
        rows_of(&rows, &words[i], 1);
        changed |= check_sources(&rows);
        check_timing(&rows, &today);
        if (rows.status)
            return rows.status;
    }
    return changed;
}
