/* The histogram of bytes: its inputs, its CPU reference, its checks. */
#include <stdio.h>
#include <string.h>

#include "judge/strip.h"
#include "problems/byte_counts.h"
#include "lab.h"
#include "problem.h"
#include "problems/in_threads.h"
#include "problems/running.h"
#include "random.h"

static size_t region_bytes(const struct strip *strip) {
    return strip->region_rows * strip->window.columns;
}

/* ---- inputs: each fills the whole strip ------------------------------------------------- */

/* A thread can begin at any draw. */
struct draw {
    uint8_t *bytes;
    size_t size;
    uint64_t seed;
    uint8_t value;
};

static void draw_random(void *argument, size_t thread, size_t threads) {
    struct draw draw = *(struct draw *)argument;
    size_t draws = (draw.size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    size_t first = cores_begin(draws, thread, threads);
    random_skip(&draw.seed, first);
    for (size_t d = first; d < cores_begin(draws, thread + 1, threads); d++) {
        uint64_t eight = random_next(&draw.seed);
        size_t i = d * sizeof eight;
        memcpy(draw.bytes + i, &eight, draw.size - i < sizeof eight ? draw.size - i : sizeof eight);
    }
}

static void fill_random(struct strip *strip, uint64_t seed) {
    in_threads(draw_random, &(struct draw){strip->elements, strip_bytes(strip), seed, 0});
}

/* Every byte of a region is the same: of four regions one in each quarter of the values, and one
 * with each remainder by four, for what is in the last of two or four fields of a word. */
static void fill_constant(struct strip *strip, uint64_t seed) {
    enum { QUARTERS = 4, IN_QUARTER = BYTE_BINS / QUARTERS };
    uint8_t *bytes = strip->elements;
    for (size_t region = 0; region < strip->regions; region++) {
        const int quarter = region % QUARTERS,
                  among = (int)random_below(&seed, IN_QUARTER / QUARTERS);
        memset(bytes + region * region_bytes(strip),
               quarter * IN_QUARTER + among * QUARTERS + quarter, region_bytes(strip));
    }
}

/* Nine bytes in ten are one value, the others uniform. */
static void draw_hot(void *argument, size_t thread, size_t threads) {
    struct draw draw = *(struct draw *)argument;
    size_t first = cores_begin(draw.size, thread, threads);
    random_skip(&draw.seed, first);
    for (size_t i = first; i < cores_begin(draw.size, thread + 1, threads); i++) {
        uint64_t bits =
            random_next(&draw.seed); /* the upper half decides, the lowest are the byte */
        draw.bytes[i] = (bits >> 32) * 10 >> 32 ? draw.value : bits % BYTE_BINS;
    }
}

static void fill_hot(struct strip *strip, uint64_t seed) {
    uint8_t value = random_below(&seed, BYTE_BINS);
    in_threads(draw_hot, &(struct draw){strip->elements, strip_bytes(strip), seed, value});
}

/* 0, 1, 2, ... over and over: neighbours never share a bin. */
static void fill_ramp(struct strip *strip, uint64_t seed) {
    uint8_t *bytes = strip->elements;
    size_t size = strip_bytes(strip);
    for (size_t i = 0; i < size; i++)
        bytes[i] = i + seed;
}

static void salt(const struct strip *strip, uint64_t *random, void *element) {
    (void)strip;
    *(uint8_t *)element = random_next(random);
}

static const struct input inputs[] = {
    {.name = "random", .slide = 1, .fill = fill_random, .salt = salt},
    {.name = "constant", .extreme = true, .fill = fill_constant, .salt = salt},
    {.name = "hot", .slide = 1, .fill = fill_hot, .salt = salt},
    {.name = "ramp", .slide = 1, .fill = fill_ramp, .salt = salt},
    {.name = NULL},
};

/* ---- expected outputs ------------------------------------------------------------------- */

static void count(void *counts, const void *bytes, size_t size) {
    uint32_t *bins = counts;
    for (size_t i = 0; i < size; i++)
        bins[((const uint8_t *)bytes)[i]]++;
}

static const struct running running = {sizeof(uint32_t[BYTE_BINS]), count, running_join_counts,
                                       running_replace_counts};

/* As the original does it: every byte takes one off its count, and nothing may be left. */
static bool count_down(const void *window, struct shape shape, const void *got, char *why,
                       size_t why_size) {
    const uint8_t *buffer = window;
    uint32_t left[BYTE_BINS];
    memcpy(left, got, sizeof left);
    for (size_t i = 0; i < shape.rows * shape.columns; i++)
        left[buffer[i]]--;
    for (int bin = 0; bin < BYTE_BINS; bin++)
        if (left[bin] != 0) {
            snprintf(why, why_size, "bin %d: %d left after counting down on the CPU", bin,
                     (int)left[bin]);
            return false;
        }
    return true;
}

/* ---- for a diagnosis -------------------------------------------------------------------- */

static size_t bin_of(const void *element) { return *(const uint8_t *)element; }

static const struct counting counting = {BYTE_BINS, sizeof(uint32_t), UINT32_MAX, bin_of};

/* ---- the original's CPU solution -------------------------------------------------------- */

static void reference(const void *window, struct shape shape, void *output) {
    const uint8_t *buffer = window;
    uint32_t *histo = output;
    memset(histo, 0, BYTE_BINS * sizeof *histo);
    for (size_t i = 0; i < shape.rows * shape.columns; i++)
        histo[buffer[i]]++;
}

/* ---- the same on all cores -------------------------------------------------------------- */

/* An addition to the bin of the byte before has to wait for it. So neighbours are counted in turn
 * in TABLES tables, which all fit into a core's first cache. No compiler makes vector instructions
 * of it. */
enum { TABLES = 4 };

static void count_in_tables(const uint8_t *bytes, size_t size, uint32_t *counts) {
    uint32_t tables[TABLES][BYTE_BINS] = {{0}};
    size_t i = 0;
    for (; i + TABLES <= size; i += TABLES)
#pragma GCC unroll 4
        for (size_t t = 0; t < TABLES; t++)
            tables[t][bytes[i + t]]++;
    for (; i < size; i++)
        counts[bytes[i]]++;
    for (size_t t = 0; t < TABLES; t++)
        for (size_t bin = 0; bin < BYTE_BINS; bin++)
            counts[bin] += tables[t][bin];
}

static void all_cores(const void *window, struct shape shape, void *output) {
    byte_counts_on_all_cores(count_in_tables, window, shape.rows * shape.columns, output,
                             BYTE_BINS);
}

static const struct solution solutions[] = {
    {"reference", reference}, {"all_cores", all_cores}, {NULL, NULL}};

const struct problem problem = {
    .function = "opt_bytehisto",
    .shape = {100 * 1024 * 1024, 1},
    .cpu_shape = {4 * 1024 * 1024, 1},
    .check_shape = {100003, 1},
    .tiny_shape = {211, 1},
    .check_input = "hot",
    .inputs = inputs,
    .element_bytes = 1,
    .output_bytes = BYTE_BINS * sizeof(uint32_t),
    .expected_bytes = BYTE_BINS * sizeof(uint32_t),
    .index_bytes = running_bytes,
    .prepare = running_prepare,
    .expect = running_expect,
    .change = running_change,
    .running = &running,
    .right = running_counts_right,
    .recheck = count_down,
    .element = "byte",
    .counting = &counting,
    .solutions = solutions,
};
