// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Rules about which elements were counted: an end left out or counted twice, one read too far,
 * every other one, all of them several times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "look.h"

/* ---- elements removed or inserted, one after the other from one side -------------------- */

struct walk {
    size_t (*at)(const struct look *look, size_t step); /* which element comes in this step */
    int sign;
    size_t unit, limit; /* steps that belong together (a column's), and how many of these */
};

static void extend(struct range *range, size_t number) {
    if (range->low > range->high)
        range->low = number;
    range->high = number;
}

/* After how many units the tally fits. Once a count has passed the output's it cannot come back,
 * since all counts only fall, or only rise. */
static struct range take_walk(const struct look *look, struct range inside,
                              const struct walk *walk) {
    struct tally tally = tally_begin(look, true);
    struct range found = NO_RANGE;
    for (size_t n = 1; n <= walk->limit && n <= inside.high; n++) {
        for (size_t step = (n - 1) * walk->unit; step < n * walk->unit; step++)
            tally_element(&tally, walk->at(look, step), walk->sign);
        if (walk->sign < 0 ? tally.under : tally.over)
            break;
        if (tally_fits(&tally) && n >= inside.low)
            extend(&found, n);
    }
    return found;
}

static size_t from_start(const struct look *look, size_t step) {
    (void)look;
    return step;
}

static size_t from_end(const struct look *look, size_t step) { return look->size - 1 - step; }

static size_t behind_end(const struct look *look, size_t step) { return look->size + step; }

static size_t left_columns(const struct look *look, size_t step) {
    return step % look->shape.rows * look->shape.columns + step / look->shape.rows;
}

static size_t right_columns(const struct look *look, size_t step) {
    return look->size - 1 - left_columns(look, step);
}

static struct range find_end_missing(const struct look *look, struct range inside) {
    return take_walk(look, inside, &(struct walk){from_end, -1, 1, look->size});
}

static struct range find_start_missing(const struct look *look, struct range inside) {
    return take_walk(look, inside, &(struct walk){from_start, -1, 1, look->size});
}

/* With one column, or one row, the elements left out are an end of the array: no rule of rows. */
static bool is_table(struct shape shape) { return shape.rows > 1 && shape.columns > 1; }

static struct range find_right_missing(const struct look *look, struct range inside) {
    if (!is_table(look->shape))
        return NO_RANGE;
    return take_walk(look, inside,
                     &(struct walk){right_columns, -1, look->shape.rows, look->shape.columns - 1});
}

static struct range find_left_missing(const struct look *look, struct range inside) {
    if (!is_table(look->shape))
        return NO_RANGE;
    return take_walk(look, inside,
                     &(struct walk){left_columns, -1, look->shape.rows, look->shape.columns - 1});
}

static struct range find_behind(const struct look *look, struct range inside) {
    return take_walk(look, inside, &(struct walk){behind_end, 1, 1, look->behind});
}

/* The last element, and the one beyond the end, are alike: either may be the one that is used once
 * too often. */
static struct range find_one_too_many(const struct look *look, struct range inside) {
    struct tally beyond = tally_begin(look, true), twice = beyond;
    if (!look->behind || !look->size || !within(inside, 1))
        return NO_RANGE;
    tally_element(&beyond, look->size, 1);
    tally_element(&twice, look->size - 1, 1);
    return tally_fits(&beyond) && tally_fits(&twice) ? only(1) : NO_RANGE;
}

static struct range find_end_twice(const struct look *look, struct range inside) {
    return take_walk(look, inside, &(struct walk){from_end, 1, 1, look->size / 2});
}

static struct range find_start_twice(const struct look *look, struct range inside) {
    return take_walk(look, inside, &(struct walk){from_start, 1, 1, look->size / 2});
}

/* ---- every n-th element, or each element n times ---------------------------------------- */

static bool fits_every(const struct look *look, size_t k) {
    struct tally tally = tally_begin(look, false);
    for (size_t i = 0; i < look->size && !tally.over; i += k)
        tally_element(&tally, i, 1);
    return tally_fits(&tally);
}

static struct range find_every(const struct look *look, struct range inside) {
    enum { MOST = 64 };
    for (size_t k = 2; k <= MOST && k <= look->size / 2; k++)
        if (within(inside, k) && fits_every(look, k))
            return only(k);
    return NO_RANGE;
}

static bool fits_times(const struct look *look, uint64_t k) {
    const struct counting *counting = look->problem->counting;
    if (!counting)
        return fabs(k * look->sum - look->got_sum) <= k * look->slack;
    for (size_t bin = 0; bin < counting->bins; bin++)
        if (count_shown(counting, k * look->counts[bin]) != look->got[bin])
            return false;
    return true;
}

static struct range find_times(const struct look *look, struct range inside) {
    size_t most =
        look->problem->counting ? 1 << 16 : 1 << 10; /* beyond, a tolerance lets all pass */
    struct range found = NO_RANGE;
    for (size_t k = 2; k <= most; k++)
        if (within(inside, k) && fits_times(look, k))
            extend(&found, k);
    return found;
}

/* ---- what to say ------------------------------------------------------------------------ */

/* "last row", "first 3 columns", "last 841 pixels". */
static const char *many(const char *which, size_t n, const char *what) {
    static char text[80];
    if (n == 1)
        snprintf(text, sizeof text, "%s %s", which, what);
    else
        snprintf(text, sizeof text, "%s %zu %ss", which, n, what);
    return text;
}

/* The same, in whole rows where the range has a number of them. */
static const char *stretch(const struct scene *scene, const char *which) {
    size_t columns = scene->shape.columns;
    size_t rows = is_table(scene->shape) ? scene->range.high / columns : 0;
    if (rows && within(scene->range, rows * columns))
        return many(which, rows, "row");
    return many(which, scene->range.low, scene->problem->element);
}

/* One is, several are. */
static const char *are(const char *text) { return text[strlen(text) - 1] == 's' ? "are" : "is"; }

/* A tolerance leaves some chance of a fit. Several looks that agree do not, and neither does a
 * number that a mistake is likely to have. */
static bool vague(const struct scene *scene) {
    return !scene->problem->counting && scene->looks < 2;
}

/* The smallest power of two that leaves a remainder of the size within the range; 0: none. */
static size_t divisor(const struct scene *scene) {
    for (size_t by = 2; by <= 1 << 20 && by < scene->size; by *= 2)
        if (scene->size % by && within(scene->range, scene->size % by))
            return by;
    return 0;
}

static bool name_remainder(const struct scene *scene) {
    size_t by = divisor(scene);
    if (!by || (within(scene->range, 1) && scene->size % 2 == 0))
        return false;
    if (within(scene->range, 1))
        return say(
            scene,
            "The last %s is left out. Usual causes: a bound that is one too small, or, the size "
            "being odd here, a remainder left out where several are read at a time.",
            scene->problem->element);
    return say(scene,
               "The %s are left out: what remains when the size, %zu, is divided by %zu or a "
               "multiple of it. Usual cause: a division that rounds down. Round it up and check "
               "the bound, or handle what remains in a separate loop.",
               many("last", scene->size % by, scene->problem->element), scene->size, by);
}

static bool name_cut_size(const struct scene *scene) {
    size_t cut = scene->size % 65536;
    if (scene->size < 65536 || !cut || !within(scene->range, scene->size - cut))
        return false;
    return say(scene,
               "Only the first %zu %ss are used, which is the size modulo 65536. Usual cause: the "
               "size or an index is kept in 16 bits; use size_t.",
               cut, scene->problem->element);
}

/* As many are used as there are threads, or as one block has. Where less than a block's share is
 * left, a division rounded down. */
static bool name_one_each(const struct scene *scene) {
    const uint64_t all = launch_threads(scene->launch), some[] = {all, scene->launch.threads};
    for (int i = 0; i < 2; i++)
        if (some[i] > 1 && some[i] + scene->launch.threads <= scene->size &&
            within(scene->range, scene->size - some[i]))
            return say(
                scene,
                "Only the first %llu %ss are used, as many as %s: each thread takes one, and "
                "nobody takes the others. A thread has to go on in a loop, for (i = first; "
                "i < size; i += stride), or there have to be enough blocks.",
                (unsigned long long)some[i], scene->problem->element,
                some[i] == all ? "there are threads" : "a block has threads");
    return false;
}

static bool name_sides(const struct scene *scene) {
    const size_t rows = scene->shape.rows;
    if (!is_table(scene->shape) || !within(scene->range, scene->size - rows))
        return false;
    return say(
        scene,
        "Only the first %zu %ss are used, as many as there are rows. Usual cause: the height "
        "is passed where the size is meant, which is height * width.",
        rows, scene->problem->element);
}

/* As many rows are used as there are blocks. */
static bool name_row_each(const struct scene *scene) {
    const size_t blocks = scene->launch.blocks, rows = scene->shape.rows;
    if (!is_table(scene->shape) || blocks < 2 || blocks >= rows ||
        !within(scene->range, (rows - blocks) * scene->shape.columns))
        return false;
    return say(scene,
               "Only the first %zu rows are used, as many as there are blocks: each block takes "
               "one, and nobody takes the others. A block has to go on in a loop: for (y = "
               "blockIdx.x; y < height; y += gridDim.x).",
               blocks);
}

static bool name_half(const struct scene *scene) {
    if (scene->size < 4 || !within(scene->range, scene->size - scene->size / 2))
        return false;
    return say(scene,
               "Only the first half of the %ss is used. Usual cause: a grid half as large as it "
               "should be, or a size that is divided by two once too often.",
               scene->problem->element);
}

static bool name_end_missing(const struct scene *scene) {
    size_t columns = scene->shape.columns;
    if (is_table(scene->shape) && within(scene->range, columns))
        return say(scene, "The last row is left out. Usual cause: a loop over the rows, or a "
                          "grid, that ends one row too early.");
    if (name_one_each(scene) || name_sides(scene) || name_row_each(scene) ||
        name_remainder(scene) || name_cut_size(scene) || name_half(scene))
        return true;
    if (vague(scene))
        return false;
    const char *which = stretch(scene, "last");
    return say(scene,
               "The %s %s left out. Usual cause: a loop that ends too early, or a grid that is "
               "too small for the size.",
               which, are(which));
}

static bool name_start_missing(const struct scene *scene) {
    if (vague(scene))
        return false;
    const char *which = stretch(scene, "first");
    return say(scene,
               "The %s %s left out. Usual cause: an index that starts too late, such as at 1 "
               "instead of 0.",
               which, are(which));
}

static bool name_columns(const struct scene *scene, const char *side, const char *cause) {
    const char *which = many(side, scene->range.low, "column");
    return say(scene, "The %s %s left out: every row is cut short there. Usual cause: %s.", which,
               are(which), cause);
}

static bool name_right_missing(const struct scene *scene) {
    const size_t threads = scene->launch.threads;
    if (threads > 1 && threads < scene->shape.columns &&
        within(scene->range, scene->shape.columns - threads))
        return say(scene,
                   "Only the first %zu columns are used, as many as a block has threads: each "
                   "thread takes one column of %zu. It has to go on in a loop: for (x = "
                   "threadIdx.x; x < width; x += blockDim.x).",
                   threads, scene->shape.columns);
    return name_columns(scene, "last",
                        "a bound on the column that is too small, such as width - 1, or a width "
                        "that is divided and rounded down");
}

static bool name_left_missing(const struct scene *scene) {
    return name_columns(scene, "first", "a column that starts at 1 instead of 0");
}

/* The size rounded up to a multiple of a power of two: 0 if that does not fit. */
static size_t rounded_to(const struct scene *scene, size_t width) {
    for (size_t to = 2; to <= 1 << 20; to *= 2) {
        size_t padding = (to - width % to) % to;
        if (padding && within(scene->range, padding * (scene->size / width)))
            return to;
    }
    return 0;
}

static bool name_padding(const struct scene *scene) {
    size_t width = scene->shape.columns, to = is_table(scene->shape) ? rounded_to(scene, width) : 0;
    if (!to)
        return false;
    return say(scene,
               "As many %ss beyond the end are used as if every row of %zu were padded to %zu. "
               "Rows are dense: there are height * width %ss and no more.",
               scene->problem->element, width, (width + to - 1) / to * to, scene->problem->element);
}

static bool name_one_too_many(const struct scene *scene) {
    const char *element = scene->problem->element;
    if (vague(scene))
        return false;
    return say(scene,
               "One %s too many is used: the one beyond the end, or the last one twice; here both "
               "are alike. Usual causes: `<=` instead of `<` in a bound; or the main loop and "
               "what comes after it, or two threads, take the last %s.",
               element, element);
}

static bool name_behind(const struct scene *scene) {
    const char *element = scene->problem->element;
    const size_t blocks = scene->launch.blocks;
    if (within(scene->range, 1) && blocks > 1 && scene->size % blocks == blocks - 1)
        return say(scene,
                   "One %s beyond the end is used too. Usual causes: `<=` instead of `<` in a "
                   "bound; or stretches, one for each block, whose length is rounded up: %zu * %zu "
                   "is more than the size, %zu, so the last one has to end at the size.",
                   element, blocks, scene->size / blocks + 1, scene->size);
    if (within(scene->range, 1))
        return say(scene,
                   "One %s beyond the end is used too. Usual cause: `<=` instead of `<` in a "
                   "bound.",
                   element);
    if (name_padding(scene))
        return true;
    if (vague(scene))
        return false;
    size_t to = rounded_to(scene, scene->size);
    if (to)
        return say(
            scene,
            "%zu %ss beyond the end are used too, as if the size, %zu, were a multiple of "
            "%zu. Usual cause: a grid, or a thread's share, that is rounded up, without a check "
            "that stops at the end: `i < size`.",
            to - scene->size % to, element, scene->size, to);
    return say(scene,
               "%zu %ss beyond the end are used too. Usual cause: a bound that is too large.",
               scene->range.low, element);
}

static bool name_twice(const struct scene *scene, const char *side) {
    if (vague(scene))
        return false;
    const char *which = stretch(scene, side);
    return say(scene,
               "The %s %s used twice. Usual cause: the main loop also includes what is left over "
               "after it, or two threads take it.",
               which, are(which));
}

static bool name_end_twice(const struct scene *scene) { return name_twice(scene, "last"); }

static bool name_start_twice(const struct scene *scene) { return name_twice(scene, "first"); }

static bool name_every(const struct scene *scene) {
    size_t k = scene->range.low;
    return say(
        scene,
        "Only one in %zu %ss is used: number 0, %zu, %zu and so on. Usual causes: a stride that "
        "is %zu times too large, or several %ss are read at a time and only the first is used.",
        k, scene->problem->element, k, 2 * k, k, scene->problem->element);
}

static bool name_times(const struct scene *scene) {
    const char *about = scene->range.low < scene->range.high ? "at least " : "";
    return say(scene,
               "Every %s is used %s%zu times. Usual causes: several blocks, or threads, go through "
               "the whole input: each has to start at its own index and to step by the number of "
               "all threads; or several threads add the same counts to the result.",
               scene->problem->element, about, scene->range.low);
}

const struct rule rules_of_reach[] = {
    {OF_COUNTS | OF_SUMS, find_times, name_times, NULL, 0},
    {OF_COUNTS | OF_SUMS, find_every, name_every, NULL, 0},
    {OF_COUNTS | OF_SUMS, find_end_missing, name_end_missing, NULL, 0},
    {OF_COUNTS | OF_SUMS, find_start_missing, name_start_missing, NULL, 0},
    {OF_COUNTS, find_right_missing, name_right_missing, NULL, 0},
    {OF_COUNTS, find_left_missing, name_left_missing, NULL, 0},
    {OF_COUNTS, find_one_too_many, name_one_too_many, NULL, 0},
    {OF_COUNTS | OF_SUMS, find_behind, name_behind, NULL, 0},
    {OF_COUNTS | OF_SUMS, find_end_twice, name_end_twice, NULL, 0},
    {OF_COUNTS | OF_SUMS, find_start_twice, name_start_twice, NULL, 0},
    {0, NULL, NULL, NULL, 0},
};
