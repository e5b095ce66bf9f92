/* Tests of common/problems/opt_2dhisto/walk.c. */
#define _GNU_SOURCE
#include "unit.h"

#include <limits.h>

#include "problems/opt_2dhisto/walk.h"

/* The course's rule, told as plainly as possible: both axes, with the C library's drand48(). */
static int plain_next(int bin, int spread, int most) {
    double one = drand48() - 0.5, two = drand48() - 0.5;

    bin += (int)(one * two * 4.0 * 1.4142135623730950488 * 1.4142135623730950488 * spread);
    return bin < 0 ? 0 : bin > most ? most : bin;
}

static void plain_walk(uint32_t *pixels, size_t height, size_t width, long seed, int first) {
    srand48(seed);
    for (size_t i = 0; i < height * width; i++) {
        size_t from = i % width ? i - 1 : i - width;
        pixels[i] = (uint32_t)(i == 0 ? first : plain_next((int)pixels[from], 2, 1023));
        if (i > 0)
            assert_int_equal(plain_next(0, 6, 0), 0);
    }
}

enum { MANY = 120000 };
static uint32_t walk[MANY], expected[MANY];

static void walk_equals_drand48(void **state) {
    const long seeds[] = {0, 1, 42, -1, INT_MAX, INT_MIN, LONG_MAX, 0x123456789abcdefL};
    const size_t sizes[][2] = {{1, 1}, {1, 50}, {50, 1}, {7, 33}, {300, 400}};

    (void)state;
    for (size_t s = 0; s < COUNT(seeds); s++)
        for (size_t i = 0; i < COUNT(sizes); i++) {
            size_t height = sizes[i][0], width = sizes[i][1];
            image_walk(walk, height, width, seeds[s]);
            plain_walk(expected, height, width, seeds[s], 512);
            assert_memory_equal(walk, expected, height * width * sizeof *walk);
        }
}

/* So few pixels hardly ever lead from the middle to an end: start there. */
static void walk_is_clamped_at_both_ends(void **state) {
    (void)state;
    for (int first = 0; first <= 1023; first += 1023) {
        struct image_walker walker = image_walker_start(3);
        walker.above = (uint32_t)first;
        image_walker_rows(&walker, walk, 200, 300);
        plain_walk(expected, 200, 300, 3, first);
        assert_memory_equal(walk, expected, 60000 * sizeof *walk);
    }
}

static void walk_in_pieces_is_one_walk(void **state) {
    struct image_walker walker = image_walker_start(7);
    size_t done = 0;

    (void)state;
    for (size_t rows = 0; rows < 20; done += rows, rows++)
        image_walker_rows(&walker, walk + done * 83, rows, 83);
    image_walk(expected, done, 83, 7);
    assert_memory_equal(walk, expected, done * 83 * sizeof *walk);
}

static void walk_goes_on_after_rows_left_out(void **state) {
    static const size_t widths[] = {1, 2, 83, 500};

    (void)state;
    for (size_t w = 0; w < COUNT(widths); w++) {
        struct image_walker walker = image_walker_start(11);
        image_walk(expected, 60, widths[w], 11);
        image_walker_skip(&walker, 0, widths[w]);
        image_walker_skip(&walker, 17, widths[w]);
        image_walker_rows(&walker, walk, 3, widths[w]);
        image_walker_skip(&walker, 20, widths[w]);
        image_walker_rows(&walker, walk + 3 * widths[w], 20, widths[w]);
        assert_memory_equal(walk, expected + 17 * widths[w], 3 * widths[w] * sizeof *walk);
        assert_memory_equal(walk + 3 * widths[w], expected + 40 * widths[w],
                            20 * widths[w] * sizeof *walk);
    }
}

static void walk_of_nothing_draws_nothing(void **state) {
    struct image_walker walker = image_walker_start(9);

    (void)state;
    image_walker_rows(&walker, walk, 0, 5);
    image_walker_rows(&walker, walk, 5, 0);
    image_walker_rows(&walker, walk, 10, 20);
    image_walk(expected, 10, 20, 9);
    assert_memory_equal(walk, expected, 200 * sizeof *walk);
}

/* Written down, so that neither the walk nor the C library can change unseen. */
static void first_pixels_of_seed_0(void **state) {
    const uint32_t first[] = {512, 511, 511, 512, 512, 512, 512, 512, 512, 511, 513, 513,
                              513, 513, 514, 514, 514, 514, 514, 514, 514, 516, 515, 515};

    (void)state;
    image_walk(walk, 1, COUNT(first), 0);
    assert_memory_equal(walk, first, sizeof first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walk_equals_drand48),
        cmocka_unit_test(walk_is_clamped_at_both_ends),
        cmocka_unit_test(walk_in_pieces_is_one_walk),
        cmocka_unit_test(walk_goes_on_after_rows_left_out),
        cmocka_unit_test(walk_of_nothing_draws_nothing),
        cmocka_unit_test(first_pixels_of_seed_0),
    };

    return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
