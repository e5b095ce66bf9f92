/* What each chart is called and what it says, in words and numbers. Titles are for people and go
 * into the picture; descriptions go into the SVG (<desc>), and pages show them below a chart. */
#include <math.h>

#include "chart.h"
#include "lib/steps.h"

static const char *times_of(double value) { return say("%s times", significant(value, 3)); }

/* ---- speedup ---------------------------------------------------------------------------------- */

static const struct row *best_step(const struct problem *problem, size_t column) {
    const struct row *best = NULL;
    foreach (row, &problem->steps)
        if (!isnan(number_at(row, column)) &&
            (!best || number_at(row, column) > number_at(best, column)))
            best = row;
    return best;
}

const char *speedup_heading(const struct problem *problem) {
    static const char heading[] = "Speedup over one CPU thread, and share of the roof";
    const struct row *one = problem->charts->predicted;
    if (!problem->predicted.count)
        return heading;
    return say("%s; hollow: %s, predicted, not measured", heading,
               *one->r.submission ? clip(one->r.submission, 24) : "your own steps");
}

/* "opt16 has the best throughput, 970 times and 97.9 % of its roof. " */
static void add_best(struct text *text, const struct problem *problem, const char *what,
                     size_t speedup, size_t fraction) {
    const struct row *best = best_step(problem, speedup);
    if (!best)
        return;
    double share = number_at(best, fraction);
    add(text, "%s has the best %s, %s%s. ", named(best), what, times_of(number_at(best, speedup)),
        where_known(share, say(" and %s %% of its roof", percent(share))));
}

const char *speedup_in_words(const struct problem *problem) {
    struct text text = {0};
    add(&text,
        "Each step's speedup over one CPU thread, and how much of the roof, the fastest read "
        "measured, it reaches: by throughput, where calls are queued, and by latency, where "
        "each call is waited for. ");
    add_best(&text, problem, "throughput", offsetof(struct row, speedup),
             offsetof(struct row, r.roof_fraction));
    add_best(&text, problem, "latency", offsetof(struct row, synced_speedup),
             offsetof(struct row, synced_fraction));
    if (problem->predicted.count)
        add(&text, "Hollow marks are predicted for %s, not measured. ",
            problem->charts->predicted->r.predicted_gpu);
    return text.bytes;
}

/* ---- roofline --------------------------------------------------------------------------------- */

/* Steps with the same limit in one group. */
static void add_group(struct text *text, const struct problem *problem, const char *limit) {
    const char **name = keep(problem->roofs * sizeof *name);
    double low = NAN, high = NAN;
    size_t count = 0;
    for (size_t s = 0; s < problem->roofs; s++) {
        const struct roofline *roof = &problem->roof[s];
        if (!same(roof_in_short(roof), limit))
            continue;
        name[count++] = roof->row->r.step;
        low = fmin(low, 100 * roof->share[roof->largest]);
        high = fmax(high, 100 * roof->share[roof->largest]);
    }
    add(text, "%s, %s%s%s %%: %s. ", limit, significant(low, 2), count > 1 ? " to " : "",
        count > 1 ? significant(high, 2) : "", steps_in_short(name, count));
}

/* In the order in which the ladder meets them. */
const char *roofline_in_words(const struct problem *problem) {
    struct text text = {0};
    struct map seen = {0};
    add(&text, "How much of each step's %s time the busiest unit alone would need. ",
        problem->counted.count ? "predicted" : "measured");
    for (size_t s = 0; s < problem->roofs; s++) {
        const char *limit = roof_in_short(&problem->roof[s]);
        if (is_new(&seen, limit))
            add_group(&text, problem, limit);
    }
    return text.bytes;
}
