/* A page of feedback. It holds nothing of another submission. */
#pragma once

#include "../grades/points.h"
#include "lib/page.h"

struct feedback {
    const struct class *class;
    const struct submission *of;
    struct page *page;
    const char *results; /* results.jsonl */
};

void put_feedback(const struct feedback *to);
