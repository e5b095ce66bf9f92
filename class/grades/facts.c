// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "facts.h"

#include <math.h>
#include <string.h>

#include "lib/text.h"

enum timing timing_of(const struct class *class) {
    enum timing timing = NOT_TIMED;
    for (size_t i = 0; i < class->own.count; i++)
        if (!isnan(class->own.row[i]->us))
            return MEASURED;
    for (size_t i = 0; i < class->submissions; i++)
        for (size_t s = 0; s < class->steps; s++) {
            const struct grade *grade = &class->submission[i].grade[s];
            if (grade->row && !isnan(grade->row->us))
                return MEASURED;
            timing = *grade->basis ? FORESEEN : timing;
        }
    return timing;
}

struct timed timed_row(const struct row *row, enum timing timing) {
    if (!row || timing == NOT_TIMED)
        return (struct timed){NAN, NAN, NAN, NAN};
    if (timing == FORESEEN)
        return (struct timed){row->predicted_us, row->predicted_low_us, row->predicted_high_us,
                              NAN};
    return (struct timed){row->us, row->us_low, row->us_high, row->us * row->r.roof_fraction};
}

/* A prediction is a student's where it has something to be compared with. */
struct timed timed_grade(const struct grade *grade, enum timing timing) {
    bool compared = timing == MEASURED || !isnan(grade->predicted_ratio);
    return timed_row(compared ? grade->row : NULL, timing);
}

struct times_of_step times_of_step(const struct class *class, size_t step, enum timing timing) {
    static const double shares[] = {0, 0.25, 0.5, 0.75, 1};
    struct times_of_step times = {0};
    double *list = keep((class->submissions + 1) * sizeof *list);
    for (size_t i = 0; i < class->submissions; i++) {
        const struct grade *grade = &class->submission[i].grade[step];
        double us = timed_grade(grade, timing).us;
        if (!isnan(us) && is_right(grade))
            list[times.count++] = us;
    }
    sort_numbers(list, times.count);
    for (size_t t = 0; t < TIMES; t++)
        times.us[t] = t < OUR_TIME && times.count ? quantile(list, times.count, shares[t]) : NAN;
    for (size_t i = class->own.count; i-- > 0;) {
        struct timed own = timed_row(class->own.row[i], timing);
        if (!same(class->own.row[i]->r.step, class->step[step]) || isnan(own.us))
            continue;
        times.us[OUR_TIME] = own.us;
        times.us[ROOF] = isnan(own.roof) ? times.us[ROOF] : own.roof;
    }
    return times;
}

/* ---- who stands out ----------------------------------------------------------------------------- */

bool shows_mistake(const struct grade *grade) {
    return *grade->intended && !same(grade->intended, "pass");
}

bool is_without_idea(const struct grade *grade) {
    return same(grade->verdict, "pass") && *grade->lacks && !same(grade->lacks, "there");
}

bool has_predictions(const struct class *class) {
    size_t predicted = 0;
    for (size_t i = 0; i < class->submissions; i++)
        predicted += class->submission[i].predicted;
    return predicted > 0;
}

bool is_late(const struct class *class, const struct submission *one) {
    return one->late.days > 0 || strchr(person(&class->people, one->name, "late_flag"), '1');
}

static bool is_one_ladder(const char *a, const char *b) {
    size_t length = strcspn(a, "0123456789");
    return length == strcspn(b, "0123456789") && strncmp(a, b, length) == 0;
}

bool is_stuck_at(const struct class *class, const struct submission *one, size_t step) {
    const char *name = class->step[step];
    if (shows_mistake(&one->grade[step]))
        return false;
    for (size_t s = step; s < class->steps; s++)
        if (is_one_ladder(class->step[s], name) && is_right(&one->grade[s]))
            return false;
    for (size_t s = step; s-- > 0;)
        if (is_one_ladder(class->step[s], name)) {
            if (is_right(&one->grade[s]))
                return true;
            if (!shows_mistake(&one->grade[s]))
                return false;
        }
    return true;
}

struct shares shares_of(const struct class *class) {
    struct shares shares = {.share = keep((class->submissions + 1) * sizeof(double))};
    for (size_t i = 0; i < class->submissions; i++) {
        const struct submission *one = &class->submission[i];
        if (one->total_max <= 0)
            continue;
        double share = 100.0 * (double)one->total / (double)one->total_max;
        shares.share[shares.count++] = share;
        shares.tenth[share >= 100 ? 9 : (int)(share / 10)]++;
    }
    sort_numbers(shares.share, shares.count);
    return shares;
}
