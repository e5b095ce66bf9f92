/* What the tests of problems over plain arrays share: strips, filled and indexed. */
#ifndef SISTER_H
#define SISTER_H

#include "unit.h"

#include "judge/strip.h"
#include "lab.h"
#include "random.h"
#include "shapes.h"

enum { H200_L2 = 62914560 };

/* A filled strip in a block of exactly its size, so that AddressSanitizer sees a fill that goes too
 * far. */
static struct strip filled(const struct input *input, struct shape shape, size_t regions,
                           size_t calls, uint64_t seed) {
    struct strip strip = strip_plan(&problem, shape, regions, calls, input->slide);
    strip.elements = malloc(strip_bytes(&strip) + !strip_bytes(&strip));
    assert_non_null(strip.elements);
    memset(strip.elements, 0xff, strip_bytes(&strip));
    input->fill(&strip, seed);
    return strip;
}

/* Change some elements; the index has to follow. */
static void change_some(const struct input *input, struct strip *strip, void *index,
                        uint64_t *random) {
    size_t elements = strip_bytes(strip) / strip->element_bytes;
    unsigned char value[8];
    for (int i = 0; i < 20 && elements && input->salt; i++) {
        input->salt(strip, random, value);
        problem.change(strip, index, random_below(random, elements), value);
    }
}

/* Sizes around every boundary there is: of words, quads, grains. Then shapes of several columns,
 * narrow and wide, which --size allows of plain arrays too. */
static const struct shape shapes[] = {
    {0, 1},    {1, 1},    {2, 1},    {15, 1},   {16, 1},    {17, 1},   {127, 1},    {1023, 1},
    {1024, 1}, {1025, 1}, {4095, 1}, {4096, 1}, {4097, 1},  {8191, 1}, {100003, 1}, {0, 5},
    {5, 0},    {1, 4099}, {4097, 3}, {3, 4097}, {47, 1301}, {128, 64}, {1, 2},
};

typedef void check_window(const struct strip *strip, const void *index, size_t row);

/* Call check(strip, index, row) for windows of every input in a shape, before and after changes. */
static void for_windows_of(struct shape shape, size_t regions, check_window *check) {
    enum { CALLS = 12 };
    for (const struct input *input = problem.inputs; input->name; input++) {
        struct strip strip = filled(input, shape, regions, CALLS, shape.rows);
        uint64_t random = 1, rows[CALLS];
        void *index = problem.prepare(&strip);
        assert_non_null(index);
        strip_windows(&strip, &random, rows, CALLS);
        for (size_t i = 0; i < CALLS; i++)
            check(&strip, index, rows[i]);
        change_some(input, &strip, index, &random);
        for (size_t i = 0; i < CALLS; i++)
            check(&strip, index, rows[i]);
        free(index);
        free(strip.elements);
    }
}

/* In every shape of the list, and in some that are drawn anew in each run. */
static void for_all_windows(check_window *check) {
    enum { DRAWN = 12 };
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t regions = 1; regions <= 4; regions += 3)
            for_windows_of(shapes[s], regions, check);
    uint64_t random = shapes_seed();
    for (int i = 0; i < DRAWN; i++)
        for_windows_of(shapes_draw(&random), 1 + random_below(&random, 5), check);
}

/* How many elements a window has. */
static inline size_t window_size(const struct strip *strip) {
    return strip->window.rows * strip->window.columns;
}

/* Calls of a sample. */
enum { GRADED_CALLS = 1000 };

/* A strip for a sample, with as many regions as for an H200, of windows a quarter as long as graded
 * ones, whose counts are the closer. */
static inline struct strip quarter_of_the_graded(void) {
    size_t regions = strip_cold_regions(
        problem.shape.rows * problem.shape.columns * problem.element_bytes, H200_L2);
    struct shape shape = {problem.shape.rows / 4, problem.shape.columns};
    return filled(&problem.inputs[0], shape, regions, GRADED_CALLS, 20261120);
}

/* A step that keeps an answer, for one call or for all, must be wrong: no two windows of a sample
 * have the same one. same(a, b) tells of two expected outputs, sorted by `order`. */
static inline void check_answers_differ(const struct strip *strip,
                                        int (*order)(const void *a, const void *b),
                                        bool (*same)(const void *a, const void *b)) {
    uint64_t random = 1, rows[GRADED_CALLS];
    void *index = problem.prepare(strip);
    char *outputs = malloc(GRADED_CALLS * problem.expected_bytes);

    assert_non_null(index);
    assert_non_null(outputs);
    strip_windows(strip, &random, rows, GRADED_CALLS);
    for (size_t call = 0; call < GRADED_CALLS; call++)
        problem.expect(strip, index, rows[call], outputs + call * problem.expected_bytes);
    free(index);
    qsort(outputs, GRADED_CALLS, problem.expected_bytes, order);
    /* A region has 256 windows at the most: with fewer than four regions some come again. */
    size_t distinct = 1, windows = strip->regions * strip->positions;
    for (size_t i = 1; i < GRADED_CALLS; i++)
        distinct +=
            !same(outputs + (i - 1) * problem.expected_bytes, outputs + i * problem.expected_bytes);
    assert_int_equal(distinct, windows < GRADED_CALLS ? windows : GRADED_CALLS);
    free(outputs);
}

static inline int compare_outputs(const void *a, const void *b) {
    return memcmp(a, b, problem.expected_bytes);
}

static inline bool same_outputs(const void *a, const void *b) { return compare_outputs(a, b) == 0; }

#endif
