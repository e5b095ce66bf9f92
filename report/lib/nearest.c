// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "nearest.h"

#include <string.h>

#include "text.h"

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t distance(const char *a, const char *b) {
    size_t length = strlen(b), *cost = keep((length + 1) * sizeof *cost);
    for (size_t j = 0; j <= length; j++)
        cost[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t before = cost[0];
        cost[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t over = cost[j + 1];
            cost[j + 1] = least(before + (a[i] != b[j]), least(over, cost[j]) + 1);
            before = over;
        }
    }
    return cost[length];
}

const char *did_you_mean(const char *word, const char *const *name, size_t count) {
    struct text text = {0};
    size_t most = 3, told = 0, best = 1 + strlen(word) / 4;
    for (size_t far = 0; far <= best && !told; far++)
        for (size_t i = 0; i < count && told < most; i++)
            if (distance(word, name[i]) == far)
                add(&text, "%s%s", told++ ? " or " : "; did you mean ", name[i]);
    return told ? say("%s?", text.bytes) : "";
}
