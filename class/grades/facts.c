// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "facts.h"

#include <math.h>

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
