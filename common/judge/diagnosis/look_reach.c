/* Rules about which elements were counted: an end left out, all of them several times. What is
 * read beyond the end is a hazard. */
#include <math.h>
#include <stdlib.h>

#include "look.h"

/* ---- elements removed, one after the other from one side --------------------------------- */

struct walk {
    size_t (*at)(const struct look *look, size_t step); /* which element comes in this step */
    size_t unit, limit; /* steps that belong together (a column's), and how many of these */
};

static void extend(struct range *range, size_t number) {
    if (range->low > range->high)
        range->low = number;
    range->high = number;
}

/* After how many units the tally fits. Once a count has passed the output's it cannot come back,
 * since all counts only fall. */
static struct range take_walk(const struct look *look, struct range inside,
                              const struct walk *walk) {
    struct tally tally = tally_begin(look, true);
    struct range found = NO_RANGE;
    for (size_t n = 1; n <= walk->limit && n <= inside.high; n++) {
        for (size_t step = (n - 1) * walk->unit; step < n * walk->unit; step++)
            tally_element(&tally, walk->at(look, step), -1);
        if (tally.under)
            break;
        if (tally_fits(&tally) && n >= inside.low)
            extend(&found, n);
    }
    return found;
}

static size_t from_end(const struct look *look, size_t step) { return look->size - 1 - step; }

static size_t right_columns(const struct look *look, size_t step) {
    return look->size - 1 - step % look->shape.rows * look->shape.columns - step / look->shape.rows;
}

static struct range find_end_missing(const struct look *look, struct range inside) {
    return take_walk(look, inside, &(struct walk){from_end, 1, look->size});
}

/* With one column, or one row, the elements left out are an end of the array: no rule of rows. */
static bool is_table(struct shape shape) { return shape.rows > 1 && shape.columns > 1; }

static struct range find_right_missing(const struct look *look, struct range inside) {
    if (!is_table(look->shape))
        return NO_RANGE;
    return take_walk(look, inside,
                     &(struct walk){right_columns, look->shape.rows, look->shape.columns - 1});
}

/* ---- each element n times --------------------------------------------------------------- */

/* A count that is shown whole leaves one number, one that is cut off all from some number on. */
static struct range find_times_of_counts(const struct look *look, struct range found) {
    const struct counting *counting = look->problem->counting;
    for (size_t bin = 0; bin < counting->bins; bin++) {
        const size_t count = look->counts[bin], got = look->got[bin];
        if (!count && !got)
            continue;
        if (!count || got > counting->most || (got < counting->most && got % count))
            return NO_RANGE;
        const size_t least = (got + count - 1) / count;
        if (found.low < least)
            found.low = least;
        if (got < counting->most && found.high > least)
            found.high = least;
    }
    return found.low <= found.high ? found : NO_RANGE;
}

static struct range find_times(const struct look *look, struct range inside) {
    const size_t most =
        look->problem->counting ? 1 << 16 : 1 << 10; /* beyond, a tolerance lets all pass */
    struct range found = NO_RANGE;
    inside.low = inside.low < 2 ? 2 : inside.low;
    inside.high = inside.high > most ? most : inside.high;
    if (look->problem->counting)
        return find_times_of_counts(look, inside);
    for (size_t k = inside.low; k <= inside.high; k++)
        if (fabs(k * look->sum - look->got_sum) <= k * look->slack)
            extend(&found, k);
    return found;
}

/* ---- what to say ------------------------------------------------------------------------ */

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
    return say(
        scene,
        "The last %zu %ss are left out: what remains when the size, %zu, is divided by %zu or a "
        "multiple of it. Usual cause: a division that rounds down. Round it up and check "
        "the bound, or handle what remains in a separate loop.",
        scene->size % by, scene->problem->element, scene->size, by);
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
                "Only the first %llu %ss are used, as many as %s. Usual cause: each thread takes "
                "one, and nobody takes the others. A thread has to go on in a loop, for (i = first; "
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
    return say(
        scene,
        "Only the first %zu rows are used, as many as there are blocks. Usual cause: each block "
        "takes one, and nobody takes the others. A block has to go on in a loop: for (y = "
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

/* What is left out has a reason that a number tells. */
static bool name_end_missing(const struct scene *scene) {
    return name_one_each(scene) || name_sides(scene) || name_row_each(scene) ||
           (scene->reading != READING_ONCE && name_remainder(scene)) || name_cut_size(scene) ||
           name_half(scene);
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
    return false;
}

/* Where they are read so often, that is known. */
static bool name_times(const struct scene *scene) {
    bool least = scene->range.low < scene->range.high; /* nothing but full bins tells */
    if (scene->reading == READING_ODD || (least && scene->traced))
        return false;
    return say(scene,
               "%s is %s%zu times what it should be. Usual cause%s: several threads add the "
               "same counts to the result%s.",
               scene->problem->counting ? "Every count" : "The sum", least ? "at least " : "",
               scene->range.low, scene->reading == READING_ONCE ? "" : "s",
               scene->reading == READING_ONCE
                   ? ""
                   : "; or several blocks, or threads, go through the whole input: each has to "
                     "start at its own index and to step by the number of all threads");
}

const struct rule rules_of_reach[] = {
    {OF_COUNTS | OF_SUMS | OF_PARTS, .find = find_times, .name = name_times},
    {OF_COUNTS | OF_SUMS, .find = find_end_missing, .name = name_end_missing},
    {OF_COUNTS, .find = find_right_missing, .name = name_right_missing},
    {.of = 0},
};
