#include "counters.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "steps.h"

const char *predicted_in_words(double us, double low, double high) {
    const char *unit = us < 1e3 ? "us" : us < 1e6 ? "ms" : "s";
    double size = us < 1e3 ? 1 : us < 1e6 ? 1e3 : 1e6;
    const char *interval = where_known(
        low, say(" (90 %%: %s to %s)", significant(low / size, 2), significant(high / size, 2)));
    return say("%s %s a call%s", significant(us / size, 3), unit, interval);
}

const char *latency_in_words(const struct row *now) {
    return where_known(
        now->synced_us,
        say("latency: %s us%s%s", significant(now->synced_us, 4),
            where_known(now->synced_fraction,
                        say(", %s %% of its roof", significant(100 * now->synced_fraction, 3))),
            where_known(now->synced_speedup,
                        say(", %s times as fast", significant(now->synced_speedup, 3)))));
}

const char *measured_in_words(const struct row *now, bool brief) {
    struct text text = {0};
    add(&text, "%s us a call", significant(now->us, 4));
    if (!isnan(now->us_low) && !brief)
        add(&text, " (between %s and %s)", significant(now->us_low, 4),
            significant(now->us_high, 4));
    if (!isnan(now->r.gbps) && !brief)
        add(&text, ", %s GB/s", significant(now->r.gbps, 4));
    if (!isnan(now->r.roof_fraction))
        add(&text, "%s %s %% of the roof%s", brief ? ":" : ",",
            significant(100 * now->r.roof_fraction, 3),
            brief ? "" : " (the fastest read measured)");
    if (!isnan(now->speedup))
        add(&text, ", %s times as fast as one CPU thread", significant(now->speedup, 3));
    return text.bytes;
}

static const struct unit units[] = {
    {"dram", "DRAM bandwidth", "read and write fewer bytes: it is near the roof"},
    {"l2", "L2 bandwidth", "read fewer bytes, or keep what is used again in shared memory"},
    {"shared", "L1 and shared memory", "fewer bank conflicts, or keep more in registers"},
    {"shared-atomics", "shared atomics", "fewer threads that add to one bin at a time"},
    {"global-atomics", "global atomics", "add in shared memory first"},
    {"one-address", "atomics on one address", "fewer blocks that add to one address"},
    {"issue", "issuing instructions",
     "fewer instructions for each element: unroll, load more bytes at once"},
    {"barriers", "barriers", "fewer barriers, or smaller blocks"},
    {"launches", "launches", "fewer kernels, copies and memsets for each call"},
    {"latency", "latency", "more loads in flight: wide ones, or several at once"},
};

struct unit unit_of(const char *name) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (same(units[i].name, name))
            return units[i];
    return (struct unit){name, printable(name), ""};
}

double predicted_roof(const struct row *row) {
    double size = row->r.counted->rows * row->r.counted->columns;
    double has_to = row->r.bytes / (row->r.rows * row->r.columns) * size;
    return has_to / (1e3 * gpu_fact(row->r.predicted_gpu, "dram_gbps")) / row->predicted_us;
}

const char *predicted_briefly(const struct row *row) {
    double roof = predicted_roof(row);
    return say("%s%s",
               predicted_in_words(row->predicted_us, row->predicted_low_us, row->predicted_high_us),
               roof > 0 ? say(", %s %% of the roof", significant(100 * roof, 2)) : "");
}

const char *predicted_of_row(const struct row *row) {
    const char *limit = printable(row->r.predicted_limit);
    return say("%s%s%s", predicted_briefly(row), *limit ? ", limited by " : "",
               *limit ? unit_of(limit).words : "");
}

const char *predicted_size(const struct row *row) {
    const struct counted_fields *counted = row->r.counted;
    bool known = !isnan(counted->rows);
    return say("%s x %s", plain_number(known ? counted->rows : row->r.rows),
               plain_number(known ? counted->columns : row->r.columns));
}

const char *many(double number) {
    return number >= 1e6   ? say("%.2f million", number / 1e6)
           : number >= 1e4 ? say("%.1f thousand", number / 1e3)
                           : say("%.0f", floor(known(number)));
}

const char *size_in_words(double rows, double columns) {
    return columns == 1 ? say("%s elements", many(rows))
                        : say("%s x %s elements", plain_number(rows), plain_number(columns));
}

const char *a_gpu(const char *name) {
    char *shown = say("%s", replaced(printable(name), "_", " "));
    for (char *c = same(in_small(shown), shown) ? shown : ""; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    name = shown;
    return say("%s %s", *name && strchr("AEFHILMNORSX", *name) ? "an" : "a", name);
}
