// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The parts of a page of feedback. It holds nothing of another submission. */
#ifndef CLASS_FEEDBACK_H
#define CLASS_FEEDBACK_H

#include "../grades/points.h"
#include "lib/page.h"

struct feedback {
    const struct class *class;
    const struct submission *of;
    struct page *page;
    const char *results; /* results.jsonl */
};

/* The times of a step, of a call in us, and shares of the roof; NAN where there is none, and where
 * a logarithm has no place for it. */
struct step_times {
    double us, low, high, share, own_us, own_share;
    double foretold, foretold_low, foretold_high;
};
struct step_times times_of(const struct grade *grade);

void put_chart(const struct feedback *to);
void put_words(const struct feedback *to, const char *step); /* what the student wrote in step.md */
void put_log(const struct feedback *to, const struct grade *grade);

void put_feedback(const struct feedback *to); /* all of it */

#endif
