/* The sum of an array of floats: its inputs, the CPU's solutions, its check. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/timing/cores.h"
#include "judge/fault.h"
#include "lab.h"
#include "problem.h"
#include "problems/in_threads.h"
#include "problems/running.h"
#include "random.h"

/* How far a sum may be off, relative to the sum of the absolute values. With u = 2^-24, the
 * rounding error of one float addition:
 * - n numbers summed in pairs pass through log2 n additions each, so the sum is off by u log2 n at
 * the most: 27 u = 1.6e-6 at 1e8. Really the errors cancel, and 1 u is more like it. A thread that
 * adds up some hundred numbers before the pairs begin does not change that much: it is one of many.
 * - One accumulator is off by 0.25 u sqrt n for numbers in [0, 1), if it only met random
 * errors: 1.5e-4 at 1e8. It is worse: from 2^24 on it does not grow at all, and 1e8 numbers are 66
 * % off. 67 u is well above the one and well below the other, from some hundred thousand numbers
 * on. */
static const double TOLERANCE = 4e-6;

static size_t region_floats(const struct strip *strip) {
    return strip->region_rows * strip->window.columns;
}

static size_t all_floats(const struct strip *strip) {
    return strip->regions * region_floats(strip);
}

/* ---- inputs: each fills the whole strip ------------------------------------------------- */

/* Uniform in [0, 1): 24 bits are all that a float below 1 can hold evenly. */
static float uniform(uint64_t *random) { return (random_next(random) >> 40) * 0x1p-24f; }

/* A number is one draw, so a thread can begin anywhere. */
struct draw {
    const struct strip *strip;
    uint64_t seed;
    float large; /* than every other number, so many times */
};

/* Windows of one region share nearly all of their numbers, and a tolerance hides what they do not:
 * a kept answer would pass. So the start of a region, which windows leave behind as they slide, has
 * smaller numbers than its end, and windows lie SLIDE rows apart. Two of them then differ by 0.44
 * SLIDE or more, which is 1.8e-5 of a sum of 1e8 numbers. */
enum { SLIDE = 2048 };

static void draw_uniform(void *argument, size_t thread, size_t threads) {
    const struct draw *draw = argument;
    const struct strip *strip = draw->strip;
    uint64_t seed = draw->seed;
    float *data = strip->elements;
    size_t region = region_floats(strip), size = all_floats(strip);
    size_t spare = (strip->positions - 1) * strip->align_rows * strip->window.columns;
    size_t first = cores_begin(size, thread, threads);
    random_skip(&seed, first);
    size_t place = region ? first % region : 0;
    for (size_t i = first; i < cores_begin(size, thread + 1, threads); i++) {
        data[i] = place < spare ? uniform(&seed) / 8 : uniform(&seed);
        place = place + 1 < region ? place + 1 : 0;
    }
}

static void fill_uniform(struct strip *strip, uint64_t seed) {
    in_threads(draw_uniform, &(struct draw){strip, seed, 1});
}

static void fill_constant(struct strip *strip, uint64_t seed) {
    float *data = strip->elements;
    for (size_t region = 0; region < strip->regions; region++) {
        float value = uniform(&seed);
        for (size_t i = 0; i < region_floats(strip); i++)
            *data++ = value;
    }
}

enum { LARGE = 65536 };

/* Large and small in turn, of either sign: most of the large ones cancel. */
static void draw_signed(void *argument, size_t thread, size_t threads) {
    const struct draw *draw = argument;
    uint64_t seed = draw->seed;
    float *data = draw->strip->elements;
    size_t size = all_floats(draw->strip), first = cores_begin(size, thread, threads);
    random_skip(&seed, first);
    for (size_t i = first; i < cores_begin(size, thread + 1, threads); i++)
        data[i] = (i % 2 ? 1 : draw->large) * (2 * uniform(&seed) - 1);
}

static void fill_alternating(struct strip *strip, uint64_t seed) {
    in_threads(draw_signed, &(struct draw){strip, seed, LARGE});
}

static void fill_signed(struct strip *strip, uint64_t seed) {
    in_threads(draw_signed, &(struct draw){strip, seed, 1});
}

/* Of either sign, and beyond what an integer of 64 bits holds. */
static void fill_huge(struct strip *strip, uint64_t seed) {
    float *data = strip->elements;
    fill_signed(strip, seed);
    for (size_t i = 0; i < all_floats(strip); i++)
        data[i] *= 0x1p80f;
}

/* One number among many has to show through the tolerance: ten times it, or more. */
static void salt(const struct strip *strip, uint64_t *random, void *element) {
    double size = (double)strip->window.rows * strip->window.columns;
    float value = size * 10 * TOLERANCE * (1 + uniform(random));
    memcpy(element, &value, sizeof value);
}

/* The same, among numbers that are so much larger. */
static void salt_alternating(const struct strip *strip, uint64_t *random, void *element) {
    float value;
    salt(strip, random, &value);
    value *= LARGE;
    memcpy(element, &value, sizeof value);
}

static const struct input inputs[] = {
    {.name = "uniform", .slide = SLIDE, .fill = fill_uniform, .salt = salt},
    {.name = "constant", .fill = fill_constant, .salt = salt},
    {.name = "alternating", .slide = SLIDE, .fill = fill_alternating, .salt = salt_alternating},
    {.name = "signed", .slide = SLIDE, .fill = fill_signed, .salt = salt},
    {.name = NULL},
};

static const struct input huge = {
    .name = "huge", .extreme = true, .slide = SLIDE, .fill = fill_huge};

/* ---- expected outputs ------------------------------------------------------------------- */

/* A sum with what its additions lost beside it (Knuth's two-sum): as good as twice the digits. */
struct compensated {
    double sum, lost;
};

static void add(struct compensated *to, double value) {
    double sum = to->sum + value, part = sum - to->sum;
    to->lost += (to->sum - (sum - part)) + (value - part);
    to->sum = sum;
}

/* What a window sums up to, and what its absolute values do. */
struct expected {
    struct compensated sum;
    double magnitude;
};

static void add_floats(void *total, const void *data, size_t count) {
    struct expected *to = total;
    for (size_t i = 0; i < count; i++) {
        const float number = ((const float *)data)[i];
        add(&to->sum, number);
        to->magnitude += fabsf(number);
    }
}

static void join(void *total, const void *more, int sign) {
    struct expected *to = total;
    const struct expected *other = more;
    add(&to->sum, sign * other->sum.sum);
    to->sum.lost += sign * other->sum.lost;
    to->magnitude += sign * other->magnitude;
}

static void replace(void *total, const void *before, const void *after) {
    struct expected *of = total;
    const float from = *(const float *)before, to = *(const float *)after;
    add(&of->sum, to);
    add(&of->sum, -from);
    of->magnitude += fabsf(to) - fabsf(from);
}

static const struct running running = {sizeof(struct expected), add_floats, join, replace};

static double relative_error(const void *expected, const void *got) {
    struct expected right;
    float sum;
    memcpy(&right, expected, sizeof right);
    memcpy(&sum, got, sizeof sum);
    double off = fabs(sum - right.sum.sum - right.sum.lost);
    return off == 0 ? 0 : off / right.magnitude; /* of nothing, only 0 is right */
}

static bool right(const void *expected, const void *got, char *why, size_t why_size) {
    double error = relative_error(expected, got);
    if (error <= TOLERANCE) /* and so is a number */
        return true;
    struct expected right;
    float sum;
    memcpy(&right, expected, sizeof right);
    memcpy(&sum, got, sizeof sum);
    snprintf(why, why_size, "sum: expected %.9g, got %.9g: relative error %.3g", right.sum.sum, sum,
             error);
    return false;
}

/* ---- for a diagnosis -------------------------------------------------------------------- */

static double exact_sum(const void *output) {
    struct expected expected;
    memcpy(&expected, output, sizeof expected);
    return expected.sum.sum + expected.sum.lost;
}

static double slack(const void *output) {
    struct expected expected;
    memcpy(&expected, output, sizeof expected);
    return TOLERANCE * expected.magnitude;
}

static const struct summing summing = {exact_sum, slack, &huge};

/* ---- on the CPU ------------------------------------------------------------------- */

/* The reference: the simplest that is right. */
static void sum_in_double(const void *window, struct shape shape, void *output) {
    const float *data = window;
    double sum = 0;
    for (size_t i = 0; i < shape.rows * shape.columns; i++)
        sum += data[i];
    float result = sum;
    memcpy(output, &result, sizeof result);
}

/* On all cores, with vector instructions. A block is summed in floats, of which each takes no more
 * than TURNS, and so loses little; the blocks are added up in double. */
typedef float floats __attribute__((vector_size(32)));
enum { WIDTH = sizeof(floats) / sizeof(float), STREAMS = 8, TURNS = 64 };
enum { BLOCK = WIDTH * STREAMS * TURNS };

static double sum_block(const float *data) {
    floats sums[STREAMS] = {{0}}, numbers;
    for (size_t t = 0; t < TURNS; t++)
        for (size_t s = 0; s < STREAMS; s++, data += WIDTH) {
            memcpy(&numbers, data, sizeof numbers);
            sums[s] += numbers;
        }
    double sum = 0;
    for (size_t s = 0; s < STREAMS; s++)
        for (size_t lane = 0; lane < WIDTH; lane++)
            sum += sums[s][lane];
    return sum;
}

struct shares {
    const float *data;
    size_t size;
    double sums[MOST_CORES];
};

static void sum_share(void *argument, size_t core, size_t cores) {
    struct shares *shares = argument;
    size_t i = cores_begin(shares->size, core, cores);
    size_t end = cores_begin(shares->size, core + 1, cores);
    double sum = 0;
    for (; i + BLOCK <= end; i += BLOCK)
        sum += sum_block(shares->data + i);
    for (; i < end; i++)
        sum += shares->data[i];
    shares->sums[core] = sum;
}

static void all_cores(const void *window, struct shape shape, void *output) {
    struct shares shares = {.data = window, .size = shape.rows * shape.columns};
    cores_run(sum_share, &shares);
    double sum = 0;
    for (size_t core = 0; core < cores_count(); core++)
        sum += shares.sums[core];
    float result = sum;
    memcpy(output, &result, sizeof result);
}

static const struct solution solutions[] = {
    {"reference (double)", sum_in_double},
    {"all_cores", all_cores},
    {NULL, NULL},
};

const struct problem problem = {
    .function = "opt_sum",
    .shape = {100 * 1000 * 1000, 1},
    .cpu_shape = {4 * 1000 * 1000, 1},
    .check_shape = {4099, 1},
    .tiny_shape = {211, 1},
    .check_input = "uniform",
    .inputs = inputs,
    .element_bytes = sizeof(float),
    .output_bytes = sizeof(float),
    .expected_bytes = sizeof(struct expected),
    .index_bytes = running_bytes,
    .prepare = running_prepare,
    .expect = running_expect,
    .change = running_change,
    .running = &running,
    .right = right,
    .error = relative_error,
    .element = "number",
    .summing = &summing,
    .solutions = solutions,
};
