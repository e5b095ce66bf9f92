// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "counters.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "text.h"

const char *predicted_in_words(double us, double low, double high) {
    const char *unit = us < 1e3 ? "us" : us < 1e6 ? "ms" : "s";
    double size = us < 1e3 ? 1 : us < 1e6 ? 1e3 : 1e6;
    const char *interval = isnan(low) ? ""
                                      : say(" (90 %%: %s to %s)", significant(low / size, 2),
                                            significant(high / size, 2));
    return say("%s %s a call%s", significant(us / size, 3), unit, interval);
}

const char *limit_in_words(const char *unit) {
    static const char *const words[][2] = {{"dram", "DRAM bandwidth"},
                                           {"l2", "L2 bandwidth"},
                                           {"issue", "issuing instructions"},
                                           {"shared", "L1 and shared memory"},
                                           {"shared-atomics", "shared atomics"},
                                           {"global-atomics", "global atomics"},
                                           {"one-address", "atomics on one address"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], unit) == 0)
            return words[i][1];
    return unit;
}

const char *predicted_of_row(const struct row *row) {
    const char *limit = printable(row->r.predicted_limit);
    return say("~%s%s%s",
               predicted_in_words(row->predicted_us, row->predicted_low_us, row->predicted_high_us),
               *limit ? ", limited by " : "", *limit ? limit_in_words(limit) : "");
}

const char *predicted_size(const struct row *row) {
    const struct counted_fields *counted = row->r.counted;
    bool known = counted && !isnan(counted->rows);
    return say("%s x %s", plain_number(known ? counted->rows : row->r.rows),
               plain_number(known ? counted->columns : row->r.columns));
}

const char *a_gpu(const char *name) {
    struct text text = {0};
    bool lower = true;
    name = replaced(printable(name), "_", " ");
    for (const char *c = name; *c; c++)
        lower = lower && !isupper((unsigned char)*c);
    for (; *name; name++)
        add(&text, "%c", lower ? toupper((unsigned char)*name) : *name);
    name = bytes_of(&text);
    return say("%s %s", *name && strchr("AEFHILMNORSX", *name) ? "an" : "a", name);
}
