/* Rules about what each block of the launch has counted, or added up, and about how the blocks'
 * results were put together. Blocks share the input as steps of these ladders do: the threads of
 * the whole grid take one element each, or 4 or 16 that lie side by side, and go on one grid
 * further. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "look.h"

enum { MOST_BLOCKS = 4096, MOST_ELEMENTS = 1 << 21, WIDTHS = 3, VECTOR_BYTES = 16 };

static const size_t widths[WIDTHS] = {1, 4, 16}; /* elements that a thread takes at once */

/* What every block has: counts[block * bins + bin], or sums[block]. */
struct shares {
    const struct look *look;
    size_t blocks, bins;
    uint32_t *counts;
    double *sums;
};

static size_t block_of(const struct look *look, size_t i, size_t width) {
    size_t all = launch_threads(look->launch), whole = look->size / width * width;
    size_t item = i < whole ? i / width : i - whole; /* what fills no item: the first threads */
    return item % all / look->launch.threads;
}

static struct shares shares_begin(const struct look *look, size_t width) {
    const struct problem *problem = look->problem;
    struct shares shares = {.look = look,
                            .blocks = look->launch.blocks,
                            .bins = problem->counting ? problem->counting->bins : 0};
    shares.counts = allocate((shares.blocks * shares.bins + 1) * sizeof *shares.counts);
    shares.sums = allocate(shares.blocks * sizeof *shares.sums);
    memset(shares.counts, 0, shares.blocks * shares.bins * sizeof *shares.counts);
    memset(shares.sums, 0, shares.blocks * sizeof *shares.sums);
    for (size_t i = 0; i < look->size; i++) {
        const char *element = look->window + i * problem->element_bytes;
        size_t block = block_of(look, i, width);
        if (problem->counting) {
            size_t bin = problem->counting->bin_of(element);
            if (bin < shares.bins)
                shares.counts[block * shares.bins + bin]++;
            continue;
        }
        float value;
        memcpy(&value, element, sizeof value);
        shares.sums[block] += value;
    }
    return shares;
}

static void shares_end(struct shares *shares) {
    free(shares->counts);
    free(shares->sums);
}

/* Each block has a share of the input, in so many places: one stretch of it could have another
 * reason, where it is not known that all was read. */
static bool can_share(const struct look *look, size_t width, size_t places) {
    return look->launch.blocks > 1 && look->launch.blocks <= MOST_BLOCKS && look->launch.threads &&
           look->size <= MOST_ELEMENTS &&
           look->size / width >= places * launch_threads(look->launch) &&
           (width == 1 || width * look->problem->element_bytes == VECTOR_BYTES);
}

/* ---- some blocks missing, or used twice ------------------------------------------------- */

/* How often each block's result is used: once, but for those that are picked. */
enum picked { FIRST, LAST, ANY, EVERY_2ND, EVERY_4TH, PICKED, FROM = PICKED };
enum times { MISSING, ALONE, TWICE, TIMES };

static bool is_picked(enum picked picked, size_t block, size_t blocks, size_t any) {
    const bool is[PICKED + 1] = {
        [FIRST] = block == 0,  [LAST] = block == blocks - 1, [ANY] = block == any,
        [FROM] = block >= any, [EVERY_2ND] = block % 2 == 0, [EVERY_4TH] = block % 4 == 0,
    };
    return is[picked];
}

static size_t uses(enum times times, bool picked) {
    return times == MISSING ? !picked : times == ALONE ? picked : 1 + picked;
}

static bool fits_uses(const struct shares *shares, enum picked picked, enum times times,
                      size_t any) {
    const struct look *look = shares->look;
    double sum = 0;
    for (size_t b = 0; b < shares->blocks; b++)
        sum += uses(times, is_picked(picked, b, shares->blocks, any)) * shares->sums[b];
    if (!shares->bins)
        return fabs(sum - look->got_sum) <= look->slack;
    for (size_t bin = 0; bin < shares->bins; bin++) {
        uint64_t count = 0;
        for (size_t b = 0; b < shares->blocks; b++)
            count += uses(times, is_picked(picked, b, shares->blocks, any)) *
                     shares->counts[b * shares->bins + bin];
        if (count_shown(look->problem->counting, count) != look->got[bin])
            return false;
    }
    return true;
}

/* Two blocks are the first and the last, and every second of them is the first. */
static bool is_another(const struct shares *shares, enum picked picked, enum times times) {
    return (picked == EVERY_2ND && shares->blocks < 3) ||
           (picked == EVERY_4TH && shares->blocks < 5) || (times == ALONE && shares->blocks < 3);
}

static bool fits_picked(const struct shares *shares, enum picked picked, enum times times) {
    if (is_another(shares, picked, times))
        return false;
    for (size_t any = 0; any < (picked == ANY ? shares->blocks : 1); any++)
        if (fits_uses(shares, picked, times, any))
            return true;
    return false;
}

static struct range find_picked(const struct look *look, struct range inside) {
    for (size_t w = 0; w < WIDTHS; w++) {
        if (!can_share(look, widths[w], 2))
            continue;
        struct shares shares = shares_begin(look, widths[w]);
        for (size_t n = 0; n < PICKED * TIMES; n++)
            if (within(inside, n) && fits_picked(&shares, n / TIMES, n % TIMES)) {
                shares_end(&shares);
                return only(n);
            }
        shares_end(&shares);
    }
    return NO_RANGE;
}

/* How many of the last ones are missing: some, and not all. Beside a race it would be chance. */
static struct range find_last(const struct look *look, struct range inside) {
    struct range found = NO_RANGE;
    for (size_t w = 0; w < WIDTHS && found.low > found.high; w++) {
        if (!can_share(look, widths[w], 1))
            continue;
        struct shares shares = shares_begin(look, widths[w]);
        for (size_t n = 2; n < shares.blocks; n++)
            if (within(inside, n) && fits_uses(&shares, FROM, MISSING, shares.blocks - n))
                found = (struct range){found.low > found.high ? n : found.low, n};
        shares_end(&shares);
    }
    return found;
}

static bool name_last(const struct scene *scene) {
    if (scene->range.low != scene->range.high || scene->reading != READING_ONCE ||
        !scene->in_bounds)
        return false;
    return say(scene,
               "What the last %zu of %u blocks %s is missing. Usual cause: where the blocks' "
               "results are added up, the loop over them ends too early, or there is none.",
               scene->range.low, scene->launch.blocks,
               scene->problem->counting ? "counted" : "added up");
}

static bool name_picked(const struct scene *scene) {
    static const char *const who[PICKED] = {
        [FIRST] = "the first block",
        [LAST] = "the last block",
        [ANY] = "one block",
        [EVERY_2ND] = "every second block, from the first on,",
        [EVERY_4TH] = "every fourth block, from the first on,",
    };
    static const char *const what[TIMES] = {
        [MISSING] = "is missing",
        [ALONE] = "is all there is",
        [TWICE] = "is there twice",
    };
    static const char *const why[TIMES] = {
        [MISSING] =
            ("where the blocks' results are added up, the loop over them starts or ends at "
             "the wrong one, or steps over some; or indexes are those of larger blocks than "
             "the launch has"),
        [ALONE] = "the other blocks' results are not added to it, or overwritten by it",
        [TWICE] = "the sum over the blocks' results starts with some that its loop takes again",
    };
    const size_t picked = scene->range.low / TIMES, times = scene->range.low % TIMES;
    return say(scene, "What %s of %u %s %s. Usual cause: %s.", who[picked], scene->launch.blocks,
               scene->problem->counting ? "counted" : "added up", what[times], why[times]);
}

/* ---- bins added by too many threads ------------------------------------------------------ */

/* Thread t adds every bin from t on: bin b once by each of b + 1 threads, or by all. */
static bool is_stairs(const struct look *look) {
    size_t wrong = 0;
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++) {
        uint64_t times = bin < look->launch.threads ? bin + 1 : look->launch.threads;
        if (look->got[bin] != count_shown(look->problem->counting, times * look->counts[bin]))
            return false;
        wrong += look->got[bin] != look->right[bin];
    }
    return wrong >= 2;
}

static bool name_stairs(const struct scene *scene) {
    return say(
        scene,
        "Bin b is added as often as there are threads up to number b. Usual cause: a loop "
        "over the bins starts at threadIdx.x and steps by 1: it has to step by the number of "
        "threads, %u.",
        scene->launch.threads);
}

const struct rule rules_of_blocks[] = {
    {OF_COUNTS | OF_SUMS, .find = find_picked, .name = name_picked},
    {OF_COUNTS | OF_SUMS, .find = find_last, .name = name_last},
    {OF_COUNTS, .is = is_stairs, .name = name_stairs},
    {.of = 0},
};
