/* The saturating 2-D histogram: its inputs, its CPU reference, its check. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "judge/timing/cores.h"
#include "lab.h"
#include "problem.h"
#include "problems/in_threads.h"
#include "problems/running.h"
#include "random.h"

static size_t window_pixels(const struct strip *strip) {
    return strip->window.rows * strip->window.columns;
}

static size_t region_pixels(const struct strip *strip) {
    return strip->region_rows * strip->window.columns;
}

/* ---- inputs: each fills the whole strip ------------------------------------------------- */

/* Rows of the salted walk, for a thread of its own. */
struct walk {
    struct image_walker walker;
    uint64_t random; /* of the salt */
    uint32_t *pixels;
    size_t rows, columns;
};

/* Salt: one pixel in 256 becomes a uniform bin id. Without it the answers of neighbouring windows
 * are the same, nearly all bins being 0 or saturated, and a kept answer would pass (FACTS). */
static void fill_rows(void *walks, size_t thread, size_t threads) {
    struct walk walk = ((struct walk *)walks)[thread];
    (void)threads;
    for (; walk.rows; walk.rows--) {
        image_walker_rows(&walk.walker, walk.pixels, 1, walk.columns);
        for (size_t i = 0; i < walk.columns; i++) {
            /* Eight bits decide, ten others are the bin. */
            uint64_t bits = random_next(&walk.random);
            if ((bits & 0xff) == 0)
                walk.pixels[i] = bits >> 8 & (HISTO_BINS - 1);
        }
        walk.pixels += walk.columns;
    }
}

/* On all cores, for nearly every grading waits for it. */
static void fill_walk(struct strip *strip, uint64_t seed) {
    struct walk walks[MOST_CORES];
    struct walk next = {.random = seed, .pixels = strip->elements};
    next.columns = strip->window.columns;
    next.walker = image_walker_start((long)random_next(&next.random));
    size_t rows = strip->regions * strip->region_rows, threads = threads_count();
    for (size_t t = 0; t < threads; t++) {
        next.rows = rows * (t + 1) / threads - rows * t / threads;
        walks[t] = next;
        image_walker_skip(&next.walker, next.rows, next.columns);
        random_skip(&next.random, next.rows * next.columns);
        next.pixels += next.rows * next.columns;
    }
    in_threads(fill_rows, walks);
}

/* The course's images as they were: region r is the image of srand48(seed + r). */
static void fill_course(struct strip *strip, uint64_t seed) {
    uint32_t *pixels = strip->elements;
    for (size_t region = 0; region < strip->regions; region++)
        image_walk(pixels + region * region_pixels(strip), strip->region_rows,
                   strip->window.columns, (long)(seed + region));
}

static void fill_uniform(struct strip *strip, uint64_t seed) {
    uint32_t *pixels = strip->elements;
    size_t size = strip->regions * region_pixels(strip);
    for (size_t i = 0; i < size; i++)
        pixels[i] = random_below(&seed, HISTO_BINS);
}

/* Every pixel of a region is the same: of four regions one in each quarter of the bins, and one
 * with each remainder by four, for what is in the last of two or four fields of a word. */
static void fill_constant(struct strip *strip, uint64_t seed) {
    enum { QUARTERS = 4, IN_QUARTER = HISTO_BINS / QUARTERS };
    uint32_t *pixels = strip->elements;
    for (size_t region = 0; region < strip->regions; region++) {
        const uint32_t quarter = region % QUARTERS;
        const uint32_t bin =
            quarter * IN_QUARTER + quarter + random_below(&seed, IN_QUARTER / QUARTERS) * QUARTERS;
        for (size_t i = 0; i < region_pixels(strip); i++)
            *pixels++ = bin;
    }
}

/* Nine pixels in ten are one bin, the others uniform. */
static void fill_hot(struct strip *strip, uint64_t seed) {
    uint32_t *pixels = strip->elements;
    size_t size = strip->regions * region_pixels(strip);
    uint32_t bin = random_below(&seed, HISTO_BINS);
    for (size_t i = 0; i < size; i++)
        pixels[i] = random_below(&seed, 10) ? bin : random_below(&seed, HISTO_BINS);
}

/* 0, 1, 2, ... over and over: neighbours never share a bin. */
static void fill_ramp(struct strip *strip, uint64_t seed) {
    uint32_t *pixels = strip->elements;
    size_t size = strip->regions * region_pixels(strip);
    for (size_t i = 0; i < size; i++)
        pixels[i] = (i + seed) % HISTO_BINS;
}

/* The last becomes the first of a word's four, and the bin behind it that with the count 0: there
 * it is seen what a field of a word cannot hold. */
static void place_last(uint32_t *bins, uint64_t *seed) {
    enum { LAST = HISTO_BINS - 1, EMPTY = 6, IN_WORD = 4 };
    const uint32_t first = random_below(seed, HISTO_BINS / IN_WORD) * IN_WORD;
    const struct {
        size_t at;
        uint32_t bin;
    } wanted[] = {{LAST, first}, {EMPTY, first + 1}};
    for (size_t i = 0; i < 2; i++) {
        size_t from = 0;
        while (bins[from] != wanted[i].bin)
            from++;
        bins[from] = bins[wanted[i].at];
        bins[wanted[i].at] = wanted[i].bin;
    }
}

/* Counts around every edge that a kernel could trip over; one bin takes the pixels left over. In
 * every other region equal pixels stand side by side: there a single block meets the 256 that wrap
 * a byte, which after a shuffle are spread over so many blocks that none does. */
static void fill_edges(struct strip *strip, uint64_t seed) {
    static const size_t edges[] = {254, 255, 256, 1, 253, 257, 0, 511, 254, 255, 256, 512};
    enum { EDGES = sizeof edges / sizeof edges[0] };
    uint32_t bins[HISTO_BINS];
    for (uint32_t bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = bin;

    for (size_t region = 0; region < strip->regions; region++) {
        uint32_t *pixels = (uint32_t *)strip->elements + region * region_pixels(strip);
        size_t left = window_pixels(strip), next = 0;
        random_shuffle(bins, HISTO_BINS, &seed);
        if (region % 2 == 0)
            place_last(bins, &seed);
        for (size_t i = 0; i < HISTO_BINS - 3; i++) {
            size_t count = edges[i % EDGES];
            for (; count && left; count--, left--)
                pixels[next++] = bins[i];
        }
        while (left--)
            pixels[next++] = bins[HISTO_BINS - 1];
        if (region % 2 == 0)
            random_shuffle(pixels, next, &seed);
        /* Alone in their bins, so that a step that misses either is always wrong. */
        if (next) {
            pixels[0] = bins[HISTO_BINS - 2];
            pixels[next - 1] = bins[HISTO_BINS - 3];
        }
        /* Beyond the window: a kernel that reads too far counts these. */
        while (next < region_pixels(strip))
            pixels[next++] = random_below(&seed, HISTO_BINS);
    }
}

enum refill { WITH_NONE, ANYWHERE, EVENLY, BY_BITS, EARLY };

/* Four places whose numbers have all four pairs of any two neighbouring bits: whatever power of two
 * a block takes in turn, two or four of them get equal parts. None is the bin's. */
static void four_places(const uint32_t *pixels, size_t size, uint32_t bin, uint64_t *random,
                        size_t places[4]) {
    size_t span = 1;
    bool taken = true;
    while (2 * span <= size)
        span *= 2;
    while (taken) {
        const size_t first = random_below(random, span), every_other = 0x5555555555555555;
        const size_t masks[] = {0, span - 1, every_other & (span - 1), ~every_other & (span - 1)};
        taken = false;
        for (size_t i = 0; i < 4; i++) {
            places[i] = first ^ masks[i];
            taken |= pixels[places[i]] == bin;
        }
    }
}

/* Takes a bin's pixels away, and puts in one less than saturate it: evenly, or by the bits of their
 * places, so that every block gets its half to the pixel, anywhere, or where few blocks find them.
 */
static void empty_and_refill(uint32_t *pixels, size_t size, uint32_t bin, enum refill refill,
                             uint64_t *random) {
    enum { PIXELS = HISTO_MAX - 1, FIRST = 1 << 13 };
    size_t apart = size / PIXELS, first = random_below(random, apart), places[4];
    for (size_t i = 0; i < size; i++)
        if (pixels[i] == bin)
            pixels[i] = (bin + 1 + random_below(random, HISTO_BINS - 1)) % HISTO_BINS;
    for (size_t n = 0; refill && n < PIXELS;) {
        if (refill == BY_BITS && n % 4 == 0)
            four_places(pixels, size, bin, random, places);
        size_t i = refill == EVENLY    ? first + n * apart
                   : refill == BY_BITS ? places[n % 4]
                                       : random_below(random, refill == EARLY ? FIRST : size);
        n += pixels[i] != bin;
        pixels[i] = bin;
    }
}

/* All bins saturate, except that in every other region one bin is a single pixel short; at first
 * it is empty, so that no block can vote for an early exit, and what it finds are votes of before.
 */
static void fill_brink(struct strip *strip, uint64_t seed) {
    static const enum refill refills[] = {WITH_NONE, ANYWHERE, EVENLY, BY_BITS};
    fill_uniform(strip, random_next(&seed));
    for (size_t region = 1; region < strip->regions; region += 2)
        empty_and_refill((uint32_t *)strip->elements + region * region_pixels(strip),
                         window_pixels(strip), random_below(&seed, HISTO_BINS),
                         refills[region / 2 % 4], &seed);
}

/* Some of 8 blocks have their share of every bin, and the others never have: what is left of their
 * votes meets that of the next call. */
static void fill_one_sided(struct strip *strip, uint64_t seed) {
    fill_uniform(strip, random_next(&seed));
    for (size_t region = 0; region < strip->regions; region++)
        empty_and_refill((uint32_t *)strip->elements + region * region_pixels(strip),
                         window_pixels(strip), random_below(&seed, HISTO_BINS), EARLY, &seed);
}

static const struct input exits[] = {
    {.name = "brink", .fill = fill_brink, .early_exit = true},
    {.name = "one-sided", .fill = fill_one_sided, .early_exit = true},
};

static void salt(const struct strip *strip, uint64_t *random, void *element) {
    (void)strip;
    uint32_t bin = random_below(random, HISTO_BINS);
    memcpy(element, &bin, sizeof bin);
}

/* An early exit needs that every bin saturates. */
static const struct input inputs[] = {
    {.name = "walk", .slide = 1, .fill = fill_walk, .salt = salt},
    {.name = "course", .fill = fill_course, .salt = salt},
    {.name = "uniform", .slide = 1, .fill = fill_uniform, .salt = salt, .early_exit = true},
    {.name = "constant", .extreme = true, .fill = fill_constant, .salt = salt},
    {.name = "hot", .slide = 1, .fill = fill_hot, .salt = salt, .early_exit = true},
    {.name = "ramp", .slide = 1, .fill = fill_ramp, .salt = salt, .early_exit = true},
    {.name = "edges", .fill = fill_edges, .salt = salt},
    {.name = NULL},
};

static bool load(const char *path, struct shape *shape, void **elements, char *error,
                 size_t error_size) {
    struct image image;
    if (!image_read(path, &image, error, error_size))
        return false;
    *shape = (struct shape){image.height, image.width};
    *elements = image.pixels;
    return true;
}

/* ---- expected outputs ------------------------------------------------------------------- */

static void count(void *counts, const void *pixels, size_t size) {
    uint32_t *bins = counts;
    for (size_t i = 0; i < size; i++)
        bins[((const uint32_t *)pixels)[i]]++;
}

static const struct running running = {sizeof(uint32_t[HISTO_BINS]), count, running_join_counts,
                                       running_replace_counts};

static void saturate(const uint32_t *counts, uint8_t *bins) {
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = counts[bin] < HISTO_MAX ? counts[bin] : HISTO_MAX;
}

static void expect(const struct strip *strip, const void *index, size_t row, void *output) {
    uint32_t counts[HISTO_BINS];
    running_expect(strip, index, row, counts);
    saturate(counts, output);
}

/* ---- for a diagnosis -------------------------------------------------------------------- */

static size_t bin_of(const void *element) {
    uint32_t pixel;
    memcpy(&pixel, element, sizeof pixel);
    return pixel;
}

static const struct counting counting = {HISTO_BINS, 1, HISTO_MAX, bin_of};

/* ---- the journal's CPU reference -------------------------------------------------------- */

static void reference(const void *window, struct shape shape, void *output) {
    const uint32_t *image = window;
    uint8_t *bins = output;
    memset(bins, 0, HISTO_BINS);
    for (size_t i = 0; i < shape.rows * shape.columns; i++) {
        const uint32_t value = image[i];
        if (bins[value] < HISTO_MAX)
            bins[value]++;
    }
}

/* ---- the same on all cores: each counts its own stretch, as the steps' blocks do -------- */

/* Neighbouring pixels are often alike, and an addition to the bin of the one before has to wait for
 * it. So they are counted in turn in two tables, which both fit into a core's first cache: 1.4
 * times as fast on `walk`. No compiler makes vector instructions of it. */
struct stretches {
    const uint32_t *pixels;
    size_t size;
    uint32_t counts[MOST_CORES][2][HISTO_BINS];
};

static void count_stretch(void *argument, size_t core, size_t cores) {
    struct stretches *stretches = argument;
    size_t i = cores_begin(stretches->size, core, cores);
    size_t end = cores_begin(stretches->size, core + 1, cores);
    uint32_t(*counts)[HISTO_BINS] = stretches->counts[core];
    memset(counts, 0, sizeof stretches->counts[core]);
    for (; i + 1 < end; i += 2) {
        counts[0][stretches->pixels[i]]++;
        counts[1][stretches->pixels[i + 1]]++;
    }
    count(counts[0], stretches->pixels + i, end - i);
}

static void all_cores(const void *window, struct shape shape, void *output) {
    static struct stretches stretches;
    stretches.pixels = window;
    stretches.size = shape.rows * shape.columns;
    cores_run(count_stretch, &stretches);
    uint32_t counts[HISTO_BINS] = {0};
    for (size_t core = 0; core < cores_count(); core++)
        for (int bin = 0; bin < HISTO_BINS; bin++)
            counts[bin] += stretches.counts[core][0][bin] + stretches.counts[core][1][bin];
    saturate(counts, output);
}

static const struct solution solutions[] = {
    {"reference", reference}, {"all_cores", all_cores}, {NULL, NULL}};

_Static_assert((int)IMAGE_BINS == (int)HISTO_BINS, "images are made of bin ids");

const struct problem problem = {
    .function = "opt_2dhisto",
    .shape = {4096, 3984},
    .cpu_shape = {4096, 3984},
    /* Two primes, more columns than a block has threads: what one usual mistake counts is what no
     * other counts (test_opt_2dhisto.c). */
    .check_shape = {47, 1301},
    .check_input = "edges",
    .tiny_shape = {3, 37},
    .exit_inputs = exits,
    .exit_shape = {401, 1301}, /* 509 pixels a bin on average: none has less than 255 by chance */
    .inputs = inputs,
    .element_bytes = sizeof(uint32_t),
    .output_bytes = HISTO_BINS,
    .expected_bytes = HISTO_BINS,
    .load = load,
    .index_bytes = running_bytes,
    .prepare = running_prepare,
    .expect = expect,
    .change = running_change,
    .running = &running,
    .right = running_counts_right,
    .element = "pixel",
    .counting = &counting,
    .solutions = solutions,
};
