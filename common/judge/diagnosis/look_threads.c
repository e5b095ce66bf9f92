// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Rules about how elements were shared out among threads: loops that start or step wrongly, arrays
 * that each thread has of its own. They need the size of the launch, which the runner tells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "look.h"

/* Every guess goes through all elements, and there are many guesses of loops. */
enum { MOST_ELEMENTS = 1 << 24, MOST_OF_LOOPS = 1 << 18 };

/* ---- what comes of using each element so many times ------------------------------------- */

/* Elements are used in their order. */
struct use {
    const struct look *look;
    uint64_t counts[MOST_BINS];
    double sum;
    bool too_much; /* a count, or a sum that only grows, is above the output's already */
};

static void use_element(struct use *use, size_t i, uint64_t times) {
    const struct problem *problem = use->look->problem;
    const char *element = use->look->window + i * problem->element_bytes;
    if (!times)
        return;
    if (problem->counting) {
        size_t bin = problem->counting->bin_of(element);
        if (bin >= problem->counting->bins)
            return;
        use->counts[bin] += times;
        use->too_much |= count_shown(problem->counting, use->counts[bin]) > use->look->got[bin];
        return;
    }
    float value;
    memcpy(&value, element, sizeof value);
    use->sum += (double)times * value;
    use->too_much |= use->look->no_negative && use->sum > use->look->got_sum + 2 * use->look->slack;
}

static bool use_fits(const struct use *use) {
    const struct look *look = use->look;
    const struct counting *counting = look->problem->counting;
    if (!counting)
        return fabs(use->sum - look->got_sum) <= look->slack;
    for (size_t bin = 0; bin < counting->bins; bin++)
        if (count_shown(counting, use->counts[bin]) != look->got[bin])
            return false;
    return true;
}

/* ---- loops ------------------------------------------------------------------------------ */

/* Where a thread's loop starts, in words of CUDA; by how much it steps. */
enum start {
    GLOBAL,
    IN_BLOCK,
    BLOCK_AND_THREAD,
    BLOCK_BY_GRID,
    THREAD_BY_BLOCK,
    BY_WARP,
    BLOCK_ALONE,
    AT_0,
    STARTS
};
enum step {
    BY_ALL,
    BY_BLOCK,
    BY_GRID,
    BY_2_ALL,
    BY_ALL_LESS_1,
    BY_ALL_MORE_1,
    BY_255,
    BY_1, /* and so on, by powers of two */
    STEPS = BY_1 + 13
};

static uint64_t start_of(enum start start, struct launch_size launch, uint64_t block,
                         uint64_t thread) {
    const uint64_t starts[] = {
        [GLOBAL] = block * launch.threads + thread,
        [IN_BLOCK] = thread,
        [BLOCK_AND_THREAD] = block + thread,
        [BLOCK_BY_GRID] = block * launch.blocks + thread,
        [THREAD_BY_BLOCK] = block + thread * launch.threads,
        [BY_WARP] = 32 * (block * launch.threads + thread),
        [BLOCK_ALONE] = block,
        [AT_0] = 0,
    };
    return starts[start];
}

static uint64_t length_of(enum step step, struct launch_size launch) {
    const uint64_t all = launch_threads(launch);
    const uint64_t lengths[] = {
        [BY_ALL] = all,       [BY_BLOCK] = launch.threads, [BY_GRID] = launch.blocks,
        [BY_2_ALL] = 2 * all, [BY_ALL_LESS_1] = all - 1,   [BY_ALL_MORE_1] = all + 1,
        [BY_255] = 255,
    };
    return step < BY_1 ? lengths[step] : (uint64_t)1 << (step - BY_1);
}

/* for (i = start; i + reach < size; i += step) uses i + late + k * apart for k < used; then the
 * rest: for (; i < size; i += all), if there is one. REST_OF_SIZE is the size modulo `unroll`, by
 * all threads. */
struct loop {
    enum start start;
    uint64_t step, reach, unroll, used, apart, late;
    enum rest { ALONE, REST, NO_REST, REST_ONCE, REST_FROM_START, REST_OF_SIZE } rest;
};

/* How often each element is used is known once the elements before it are: a loop comes to element
 * i from its start or from i - step. */
struct turns {
    uint32_t *begins, *main, *used, *rest; /* threads that are at element i; uses of it */
};

/* All guesses use the same memory: to ask for it anew would take longer than they do. */
static struct turns turns_begin(const struct look *look, const struct loop *loop) {
    static uint32_t *memory;
    static size_t elements;
    if (look->size > elements) {
        free(memory);
        memory = allocate(4 * look->size * sizeof *memory);
        elements = look->size;
    }
    struct turns turns = {.begins = memory,
                          .main = memory + elements,
                          .used = memory + 2 * elements,
                          .rest = memory + 3 * elements};
    memset(turns.begins, 0, look->size * sizeof *turns.begins);
    for (uint64_t block = 0; block < look->launch.blocks; block++)
        for (uint64_t thread = 0; thread < look->launch.threads; thread++) {
            uint64_t at = start_of(loop->start, look->launch, block, thread);
            if (at < look->size)
                turns.begins[at]++;
        }
    return turns;
}

/* Threads whose loop over the rest is at element i. */
static uint32_t at_rest(const struct turns *turns, const struct look *look, const struct loop *loop,
                        size_t i, bool inside) {
    const uint64_t all = launch_threads(look->launch);
    uint32_t earlier = i >= all ? turns->rest[i - all] : 0;
    switch (loop->rest) {
    case REST:
        return earlier + (inside ? 0 : turns->main[i]);
    case REST_ONCE:
        return inside ? 0 : turns->main[i];
    case REST_FROM_START:
        return earlier + turns->begins[i];
    case REST_OF_SIZE:
        return i >= look->size - look->size % loop->unroll ? (uint32_t)all : 0;
    default:
        return 0;
    }
}

/* Threads whose main loop took a turn `back` elements before element i. */
static uint32_t turned(const struct turns *turns, const struct look *look, const struct loop *loop,
                       size_t i, uint64_t back) {
    return i >= back && i - back + loop->reach < look->size ? turns->main[i - back] : 0;
}

/* How often the main loop uses element i. A turn that begins `apart` before another one uses the
 * same elements, but for the first of the one and the last of the other. */
static uint32_t used_by_main(const struct turns *turns, const struct look *look,
                             const struct loop *loop, size_t i) {
    const uint32_t first = turned(turns, look, loop, i, loop->late);
    if (!loop->apart)
        return (uint32_t)loop->used * first;
    return (i >= loop->apart ? turns->used[i - loop->apart] : 0) + first -
           turned(turns, look, loop, i, loop->late + loop->used * loop->apart);
}

static bool loop_fits(const struct look *look, const struct loop *loop) {
    struct turns turns = turns_begin(look, loop);
    struct use use = {.look = look};
    for (size_t i = 0; i < look->size && !use.too_much; i++) {
        turns.main[i] = turns.begins[i] + turned(&turns, look, loop, i, loop->step);
        turns.used[i] = used_by_main(&turns, look, loop, i);
        turns.rest[i] = at_rest(&turns, look, loop, i, i + loop->reach < look->size);
        use_element(&use, i, (uint64_t)turns.used[i] + turns.rest[i]);
    }
    return !use.too_much && use_fits(&use);
}

static bool can_guess(const struct look *look, size_t most) {
    return launch_threads(look->launch) > 0 && look->size && look->size <= most;
}

/* Where nearly all counts are 0 or saturated, or sums have a tolerance, several guesses fit. */
static bool is_sure(const struct scene *scene) {
    return scene->problem->counting ? scene->telling >= 3 : scene->looks >= 2;
}

/* ---- a loop that takes one element a turn ----------------------------------------------- */

static bool fits_loop(const struct look *look, size_t n) {
    struct loop loop = {.start = n / STEPS, .step = length_of(n % STEPS, look->launch), .used = 1};
    return can_guess(look, MOST_OF_LOOPS) && loop.step && loop_fits(look, &loop);
}

/* How long the step is, in CUDA's words where it has some. */
static void step_words(const struct scene *scene, enum step step, char *words, size_t size) {
    const struct launch_size launch = scene->launch;
    static const char *const names[STEPS] = {
        [BY_ALL] = " (gridDim.x * blockDim.x)",
        [BY_BLOCK] = " (blockDim.x)",
        [BY_GRID] = " (gridDim.x)",
        [BY_2_ALL] = ", twice their number",
        [BY_ALL_LESS_1] = ", one less than their number",
        [BY_ALL_MORE_1] = ", one more than their number",
    };
    snprintf(words, size, "%llu%s", (unsigned long long)length_of(step, launch),
             names[step] ? names[step] : "");
}

static bool name_loop(const struct scene *scene) {
    if (!is_sure(scene))
        return false;
    static const char *const starts[STARTS] = {
        [GLOBAL] = "its own number",
        [IN_BLOCK] = "threadIdx.x, its number within the block,",
        [BLOCK_AND_THREAD] = "blockIdx.x + threadIdx.x",
        [BLOCK_BY_GRID] = "blockIdx.x * gridDim.x + threadIdx.x",
        [THREAD_BY_BLOCK] = "threadIdx.x * blockDim.x + blockIdx.x",
        [BY_WARP] = "32 times its number",
        [BLOCK_ALONE] = "blockIdx.x",
        [AT_0] = "0",
    };
    const size_t start = scene->range.low / STEPS, step = scene->range.low % STEPS;
    const struct launch_size launch = scene->launch;
    char words[80];
    step_words(scene, step, words, sizeof words);
    return say(scene,
               "The %ss used are those of a loop in which each of %llu threads starts at %s and "
               "steps by %s. Each has to start at its own number among all threads, blockIdx.x * "
               "blockDim.x + threadIdx.x, and to step by the number of all threads, gridDim.x * "
               "blockDim.x, here %u * %u.",
               scene->problem->element, (unsigned long long)launch_threads(launch), starts[start],
               words, launch.blocks, launch.threads);
}

/* ---- a loop that takes several elements a turn, and one over the rest ------------------- */

/* Steps and distances are 1, or counted in threads. */
static const struct unrolled {
    bool strides, times_unroll; /* how long the step is */
    enum {
        APART_STRIDE,
        APART_1,
        NEAR_1, /* and so is the bound */
        APART_0,
        FIRST_ALONE,
        LATE
    } apart;
    enum rest rest;
    const char *text; /* after the number of elements a turn; NULL: STEPS_BY_FEW */
} unrolled[] = {
    {true, false, APART_STRIDE, REST,
     "and then steps by one stride: the next turn takes nearly the same again. It has to step by "
     "as many strides as it takes elements."},
    {true, true, APART_1, REST,
     "which lie side by side (i + k), and then steps as if they lay one stride apart: some are used "
     "several times, others never. Read element i + k * stride, so that neighbouring threads read "
     "neighbouring elements."},
    {true, true, NEAR_1, REST,
     "which lie side by side (i + k), though neighbouring threads start side by side too: some are "
     "used several times, others never. Read element i + k * stride, so that neighbouring threads "
     "read neighbouring elements."},
    {true, true, APART_STRIDE, NO_REST,
     "and nobody takes what is left when fewer remain. A second loop has to count the rest one by "
     "one, i going on by stride."},
    {true, true, APART_STRIDE, REST_FROM_START,
     "and the loop after it, for the rest, starts from the beginning again. It has to go on with "
     "the i at which the first loop ended."},
    {true, true, APART_STRIDE, REST_ONCE,
     "and takes only one of those that are left: a thread may have several. Count the rest in a "
     "loop, i going on by stride."},
    {true, true, APART_STRIDE, REST_OF_SIZE,
     "and then every thread takes the last elements, as many as remain when the size is divided by "
     "that. What is left of each thread's own lies one stride apart: i goes on by "
     "stride."},
    {true, true, APART_0, REST,
     "which are all the same one: the index does not change with k. Read element i + k * stride."},
    {true, true, FIRST_ALONE, REST,
     "of which only the first is counted. The second inner loop has to count all that the first "
     "one has read."},
    {true, true, LATE, REST,
     "which begin one stride too late: the first of them is never used, and one that another turn, "
     "or the loop over the rest, takes is used twice. Read element i + k * stride, with k from 0 on."},
    {false, true, APART_STRIDE, REST, NULL},
};

/* So many turns saturate nearly all counts, and a step of 1 gives the same. */
#define STEPS_BY_FEW                                                                               \
    "The %ss used are those of a loop that steps by 1, or by the few that it takes in a turn, so " \
    "that each thread goes through most of those that follow. It has to step by the number of "    \
    "all threads, i += stride, or by as many strides as it takes elements: i += UNROLL * stride."

enum { UNROLLED = sizeof unrolled / sizeof *unrolled, UNROLLS = 5, ROW_OF_REST_ONCE = 5 };

static const unsigned unrolls[UNROLLS] = {2, 4, 8, 12, 16};

/* Guess n: its row of `unrolled`, and its number of elements a turn. Two in a turn of which the
 * first is used are a plain loop, whose step is twice too long. */
static bool fits_unrolled(const struct look *look, size_t n) {
    const uint64_t all = launch_threads(look->launch), unroll = unrolls[n % UNROLLS];
    const struct unrolled *of = &unrolled[n / UNROLLS];
    bool side_by_side = of->apart == APART_1 || of->apart == NEAR_1;
    struct loop loop = {.start = GLOBAL,
                        .step = (of->strides ? all : 1) * (of->times_unroll ? unroll : 1),
                        .reach = (unroll - 1) * (of->apart == NEAR_1 ? 1 : all),
                        .unroll = unroll,
                        .used = of->apart == FIRST_ALONE ? 1 : unroll,
                        .apart =
                            of->apart == APART_STRIDE || of->apart == LATE ? all : side_by_side,
                        .late = of->apart == LATE ? all : 0,
                        .rest = of->rest};
    return !(of->apart == FIRST_ALONE && unroll == 2) && loop_fits(look, &loop);
}

/* Several numbers of elements a turn can fit where only the end of the input tells. */
static struct range find_unrolled(const struct look *look, struct range inside) {
    struct range found = NO_RANGE;
    for (size_t n = 0; can_guess(look, MOST_ELEMENTS) && n < UNROLLED * UNROLLS; n++) {
        bool fits = within(inside, n) && fits_unrolled(look, n);
        if (fits && (found.low > found.high || n / UNROLLS == found.low / UNROLLS))
            found = (struct range){found.low > found.high ? n : found.low, n};
        else if (found.low <= found.high)
            break;
    }
    return found;
}

/* Of the rest, each thread takes one. What is left out is often an end of the input then, but the
 * number of threads says how much of it: where it is less than one for each, a division that rounds
 * down gives the same. Without a whole turn there is no rest. */
static struct range find_rest_once(const struct look *look, struct range inside) {
    const uint64_t all = launch_threads(look->launch);
    struct range found = NO_RANGE;
    for (size_t u = 0; can_guess(look, MOST_ELEMENTS) && u < UNROLLS; u++) {
        const size_t n = ROW_OF_REST_ONCE * UNROLLS + u, turn = unrolls[u] * all;
        if (turn - all < look->size && look->size % turn >= 2 * all && within(inside, n) &&
            fits_unrolled(look, n))
            found = (struct range){found.low > found.high ? n : found.low, n};
    }
    return found;
}

static bool name_unrolled(const struct scene *scene) {
    if (!is_sure(scene))
        return false;
    const size_t n = scene->range.low;
    const struct unrolled *of = &unrolled[n / UNROLLS];
    const char *element = scene->problem->element;
    char many[20] = "several";
    if (!of->text)
        return say(scene, STEPS_BY_FEW, element);
    if (n == scene->range.high)
        snprintf(many, sizeof many, "%u", unrolls[n % UNROLLS]);
    return say(scene,
               "The %ss used are those of a loop that takes %s %ss of a thread in each turn, %s",
               element, many, element, of->text);
}

/* ---- stretches: each thread takes consecutive elements ---------------------------------- */

enum stretches { ALL_FROM_THREAD, LAST_LEFT_OUT, NEXT_INCLUDED, KINDS_OF_STRETCHES };

/* How often element i is used, where a stretch of `length` should start at each multiple of it. */
static uint64_t stretch_times(const struct look *look, enum stretches kind, size_t length,
                              size_t i) {
    const uint64_t all = launch_threads(look->launch);
    if (kind == LAST_LEFT_OUT)
        return i % length != length - 1 && i != look->size - 1;
    if (kind == NEXT_INCLUDED)
        return 1 + (i > 0 && i % length == 0);
    const uint64_t first = i < length ? 0 : i - length + 1, last = i < all ? i : all - 1;
    return first <= last ? last - first + 1 : 0;
}

static bool stretches_fit(const struct look *look, enum stretches kind, size_t beyond) {
    const uint64_t all = launch_threads(look->launch);
    const size_t length = (look->size + all - 1) / all;
    struct use use = {.look = look};
    for (size_t i = 0; i < look->size && !use.too_much; i++)
        use_element(&use, i, stretch_times(look, kind, length, i));
    for (size_t i = 0; i < beyond; i++)
        use_element(&use, look->size + i, 1);
    return length >= 8 && !use.too_much && use_fits(&use);
}

static bool fits_stretches(const struct look *look, size_t kind) {
    const bool beyond = kind == NEXT_INCLUDED && look->behind > 0;
    return can_guess(look, MOST_ELEMENTS) &&
           (stretches_fit(look, kind, 0) || (beyond && stretches_fit(look, kind, 1)));
}

static bool name_stretches(const struct scene *scene) {
    if (!is_sure(scene))
        return false;
    static const char *const texts[] = {
        [ALL_FROM_THREAD] = "Each thread takes as many %ss as it should, but starts at its own "
                            "number, so that the stretches overlap: thread t has to start at t * "
                            "stretch.",
        [LAST_LEFT_OUT] = "The last %s of each thread's stretch is left out. Usual cause: the end "
                          "of a stretch is the start of the next: the bound is i < end, not i < "
                          "end - 1.",
        [NEXT_INCLUDED] = "The first %s of each thread's stretch is used by the thread before it "
                          "too. Usual cause: `<=` instead of `<`: the end of a stretch is the "
                          "start of the next.",
    };
    return say(scene, texts[scene->range.low], scene->problem->element);
}

/* ---- counts that each thread has of its own --------------------------------------------- */

/* Thread t of a block has every element i with i / at_once % threads == t. Bin t is what it counted
 * there of that bin. */
static bool fits_own(const struct look *look, size_t at_once) {
    const struct problem *problem = look->problem;
    struct use use = {.look = look};
    for (size_t i = 0; i < look->size && !use.too_much; i++) {
        size_t bin = problem->counting->bin_of(look->window + i * problem->element_bytes);
        if (i / at_once % look->launch.threads == bin)
            use_element(&use, i, 1);
    }
    return !use.too_much && use_fits(&use);
}

static struct range find_own(const struct look *look, struct range inside) {
    for (size_t at_once = 1; can_guess(look, MOST_ELEMENTS) && at_once <= 16; at_once *= 2)
        if (look->launch.threads >= look->problem->counting->bins && within(inside, at_once) &&
            fits_own(look, at_once))
            return only(at_once);
    return NO_RANGE;
}

static bool name_own(const struct scene *scene) {
    if (!is_sure(scene))
        return false;
    return say(scene,
               "Bin t has only those %ss that thread t of a block counted itself: what its other "
               "threads counted there is lost. Usual cause: `__shared__` is missing before the "
               "array of counts, so that each thread has an array of its own.",
               scene->problem->element);
}

_Static_assert(STARTS *STEPS <= MOST_GUESSES, "each guess has its place");

const struct rule rules_of_rests[] = {
    {OF_COUNTS, find_rest_once, name_unrolled, NULL, 0},
    {0, NULL, NULL, NULL, 0},
};

const struct rule rules_of_threads[] = {
    {OF_COUNTS | OF_SUMS, find_unrolled, name_unrolled, NULL, 0},
    {OF_COUNTS | OF_SUMS, NULL, name_loop, fits_loop, STARTS *STEPS},
    {OF_COUNTS | OF_SUMS, NULL, name_stretches, fits_stretches, KINDS_OF_STRETCHES},
    {OF_COUNTS | OF_PARTS, find_own, name_own, NULL, 0},
    {0, NULL, NULL, NULL, 0},
};
