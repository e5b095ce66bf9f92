/* Tests of common/problems/opt_2dhisto/problem.c: its inputs, its expected outputs, its solutions.
 */
#include "unit.h"

#include "problems/opt_2dhisto/image.h"
#include "judge/strip.h"
#include "lab.h"
#include "random.h"
#include "shapes.h"

enum { H200_L2 = 62914560 };

static const struct input *input_named(const char *name) {
    for (const struct input *input = problem.inputs; input->name; input++)
        if (strcmp(input->name, name) == 0)
            return input;
    fail_msg("there is no input '%s'", name);
    return NULL;
}

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

static size_t pixels_of(const struct strip *strip) { return strip_bytes(strip) / sizeof(uint32_t); }

static void count_naively(const struct strip *strip, size_t row, size_t *counts) {
    const uint32_t *pixels = strip_row(strip, row);
    memset(counts, 0, HISTO_BINS * sizeof *counts);
    for (size_t i = 0; i < strip_window_bytes(strip) / sizeof *pixels; i++)
        counts[pixels[i]]++;
}

/* ---- expected outputs ------------------------------------------------------------------- */

static void check_outputs(const struct strip *strip, const void *index, size_t row) {
    size_t counts[HISTO_BINS];
    uint8_t expected[HISTO_BINS], solved[HISTO_BINS];

    memset(expected, 0x5a, sizeof expected);
    problem.expect(strip, index, row, expected);
    count_naively(strip, row, counts);
    for (int bin = 0; bin < HISTO_BINS; bin++)
        assert_int_equal(expected[bin], counts[bin] < 255 ? counts[bin] : 255);
    for (const struct solution *solution = problem.solutions; solution->name; solution++) {
        memset(solved, 0xa5, sizeof solved);
        solution->solve(strip_row(strip, row), strip->window, solved);
        assert_memory_equal(solved, expected, sizeof expected);
    }
}

static void check_regions(const struct input *input, struct shape shape, size_t regions) {
    enum { CALLS = 12 };
    struct strip strip = filled(input, shape, regions, CALLS, shape.rows + shape.columns);
    uint64_t random = 1, rows[CALLS];
    void *index = problem.prepare(&strip);

    assert_non_null(index);
    strip_windows(&strip, &random, rows, CALLS);
    for (size_t i = 0; i < CALLS; i++)
        check_outputs(&strip, index, rows[i]);
    for (int i = 0; i < 20 && pixels_of(&strip) && input->salt; i++) {
        unsigned char value[8];
        input->salt(&strip, &random, value);
        problem.change(&strip, index, random_below(&random, pixels_of(&strip)), value);
    }
    for (size_t i = 0; i < CALLS; i++)
        check_outputs(&strip, index, rows[i]);
    free(index);
    free(strip.elements);
}

static void check_shape(struct shape shape) {
    for (const struct input *input = problem.inputs; input->name; input++)
        for (size_t regions = 1; regions <= 4; regions += 3)
            check_regions(input, shape, regions);
}

static void expected_outputs_and_solutions_equal_naive_counts(void **state) {
    static const struct shape shapes[] = {{47, 1301}, {1, 1},    {1, 5000}, {5000, 1}, {17, 1024},
                                          {17, 1023}, {9, 1025}, {3, 3984}, {200, 33}, {64, 512},
                                          {0, 0},     {0, 9},    {9, 0}};

    (void)state;
    for (size_t s = 0; s < COUNT(shapes); s++)
        check_shape(shapes[s]);
}

static void the_same_in_shapes_that_nobody_chose(void **state) {
    enum { DRAWN = 12 };
    uint64_t random = shapes_seed();

    (void)state;
    for (int i = 0; i < DRAWN; i++)
        check_shape(shapes_draw(&random));
}

static size_t compared_bytes;

static int compare_outputs(const void *a, const void *b) { return memcmp(a, b, compared_bytes); }

/* A step that keeps an answer, for one call or for all, must be wrong: no two windows of a sample
 * have the same one. At full size, laid out as for an H200. */
static void the_1000_outputs_of_a_sample_all_differ(void **state) {
    enum { CALLS = 1000 };
    size_t regions = strip_cold_regions(
        problem.shape.rows * problem.shape.columns * problem.element_bytes, H200_L2);
    struct strip strip = filled(&problem.inputs[0], problem.shape, regions, CALLS, 20261120);
    uint64_t random = 1;
    static uint64_t rows[CALLS];
    static uint8_t outputs[CALLS][HISTO_BINS];
    void *index = problem.prepare(&strip);

    (void)state;
    assert_string_equal(problem.inputs[0].name, "walk");
    assert_int_equal(regions, 4);
    assert_non_null(index);
    strip_windows(&strip, &random, rows, CALLS);
    for (size_t call = 0; call < CALLS; call++)
        problem.expect(&strip, index, rows[call], outputs[call]);
    check_outputs(&strip, index, rows[CALLS - 1]);

    compared_bytes = sizeof outputs[0];
    qsort(outputs, CALLS, sizeof outputs[0], compare_outputs);
    for (size_t i = 1; i < CALLS; i++)
        assert_memory_not_equal(outputs[i - 1], outputs[i], sizeof outputs[0]);
    free(index);
    free(strip.elements);
}

/* ---- inputs ----------------------------------------------------------------------------- */

static void every_pixel_is_a_bin(void **state) {
    (void)state;
    for (const struct input *input = problem.inputs; input->name; input++) {
        struct strip strip = filled(input, problem.check_shape, 3, 12, 99);
        const uint32_t *pixels = strip.elements;
        for (size_t i = 0; i < pixels_of(&strip); i++)
            assert_true(pixels[i] < HISTO_BINS);
        free(strip.elements);
    }
}

/* However many threads drew it, it is one walk, but for the salt. */
static void the_walk_is_unbroken(void **state) {
    struct strip strip = filled(&problem.inputs[0], (struct shape){300, 700}, 3, 12, 5);
    uint64_t random = 5;
    size_t salted = 0;
    uint32_t *walk = malloc(strip_bytes(&strip)), *pixels = strip.elements;

    (void)state;
    assert_non_null(walk);
    image_walk(walk, strip.regions * strip.region_rows, 700, (long)random_next(&random));
    for (size_t i = 0; i < pixels_of(&strip); i++) {
        bool is_salted = (random_next(&random) & 0xff) == 0;
        salted += is_salted;
        if (!is_salted)
            assert_int_equal(pixels[i], walk[i]);
    }
    assert_in_range(salted, pixels_of(&strip) / 300, pixels_of(&strip) / 200);
    free(walk);
    free(strip.elements);
}

static void the_seed_decides(void **state) {
    (void)state;
    for (const struct input *input = problem.inputs; input->name; input++) {
        struct strip one = filled(input, problem.check_shape, 3, 12, 5);
        struct strip same = filled(input, problem.check_shape, 3, 12, 5);
        struct strip other = filled(input, problem.check_shape, 3, 12, 6);
        assert_memory_equal(one.elements, same.elements, strip_bytes(&one));
        assert_memory_not_equal(one.elements, other.elements, strip_bytes(&one));
        free(one.elements);
        free(same.elements);
        free(other.elements);
    }
}

/* One pixel in 256 is somewhere else, where the walk moves by three bins at the most. */
static void walk_is_salted(void **state) {
    struct strip strip = filled(input_named("walk"), (struct shape){64, 4000}, 1, 1, 7);
    const uint32_t *pixels = strip.elements;
    size_t jumps = 0, pairs = 0;

    (void)state;
    for (size_t i = 1; i < pixels_of(&strip); i++) {
        if (i % 4000 == 0)
            continue;
        pairs++;
        jumps += pixels[i] > pixels[i - 1] + 3 || pixels[i] + 3 < pixels[i - 1];
    }
    /* Each makes two jumps, there and back. */
    assert_in_range(jumps, pairs / 128 * 9 / 10, pairs / 128 * 11 / 10);
    free(strip.elements);
}

static void course_is_the_courses_walk_seed_by_seed(void **state) {
    enum { ROWS = 40, COLUMNS = 3984, REGIONS = 3, SEED = 11 };
    struct strip strip =
        filled(input_named("course"), (struct shape){ROWS, COLUMNS}, REGIONS, 3, SEED);
    static uint32_t image[ROWS * COLUMNS];

    (void)state;
    for (size_t region = 0; region < REGIONS; region++) {
        image_walk(image, ROWS, COLUMNS, SEED + (long)region);
        assert_memory_equal(strip_row(&strip, region * strip.region_rows), image, sizeof image);
    }
    free(strip.elements);
}

static void uniform_fills_all_bins_alike(void **state) {
    struct strip strip = filled(input_named("uniform"), (struct shape){256, 1024}, 1, 1, 3);
    size_t counts[HISTO_BINS];

    (void)state;
    count_naively(&strip, 0, counts);
    for (int bin = 0; bin < HISTO_BINS; bin++)
        assert_in_range(counts[bin], 256 - 96, 256 + 96); /* six standard deviations */
    free(strip.elements);
}

static void constant_is_one_bin_a_region(void **state) {
    struct strip strip = filled(input_named("constant"), (struct shape){10, 100}, 4, 4, 3);
    const uint32_t *pixels = strip.elements;
    size_t region_pixels = strip.region_rows * 100;

    (void)state;
    for (size_t i = 0; i < pixels_of(&strip); i++)
        assert_int_equal(pixels[i], pixels[i / region_pixels * region_pixels]);
    assert_true(pixels[0] != pixels[region_pixels] || pixels[0] != pixels[2 * region_pixels]);
    free(strip.elements);
}

static void hot_is_nine_tenths_one_bin(void **state) {
    struct strip strip = filled(input_named("hot"), (struct shape){100, 1000}, 1, 1, 3);
    size_t counts[HISTO_BINS], most = 0, used = 0;

    (void)state;
    count_naively(&strip, 0, counts);
    for (int bin = 0; bin < HISTO_BINS; bin++) {
        most = counts[bin] > most ? counts[bin] : most;
        used += counts[bin] > 0;
    }
    assert_in_range(most, 89000, 91000);
    assert_true(used > 1000);
    free(strip.elements);
}

static void ramp_counts_up(void **state) {
    struct strip strip = filled(input_named("ramp"), (struct shape){10, 1000}, 2, 2, 1020);
    const uint32_t *pixels = strip.elements;

    (void)state;
    assert_int_equal(pixels[0], 1020);
    for (size_t i = 1; i < pixels_of(&strip); i++)
        assert_int_equal(pixels[i], (pixels[i - 1] + 1) % HISTO_BINS);
    free(strip.elements);
}

/* In every window, shuffled or in runs: many bins with each count that a step could trip over. */
static void edges_have_counts_of_254_255_and_256(void **state) {
    struct strip strip = filled(input_named("edges"), problem.check_shape, 8, 8, 3);
    static const size_t edges[] = {0, 1, 253, 254, 255, 256, 257, 511, 512};
    size_t counts[HISTO_BINS], bins[1 + 512];

    (void)state;
    for (size_t region = 0; region < strip.regions; region++) {
        count_naively(&strip, region * strip.region_rows, counts);
        memset(bins, 0, sizeof bins);
        for (int bin = 0; bin < HISTO_BINS; bin++)
            if (counts[bin] < COUNT(bins))
                bins[counts[bin]]++;
        for (size_t i = 0; i < COUNT(edges); i++)
            assert_true(bins[edges[i]] >= 5);
    }
    free(strip.elements);
}

static void edges_end_in_pixels_that_are_alone_in_their_bins(void **state) {
    struct strip strip = filled(input_named("edges"), problem.check_shape, 8, 8, 3);
    size_t counts[HISTO_BINS];

    (void)state;
    for (size_t region = 0; region < strip.regions; region++) {
        const uint32_t *pixels = strip_row(&strip, region * strip.region_rows);
        count_naively(&strip, region * strip.region_rows, counts);
        assert_int_equal(counts[pixels[0]], 1);
        assert_int_equal(counts[pixels[strip_window_bytes(&strip) / sizeof *pixels - 1]], 1);
    }
    free(strip.elements);
}

/* Where equal pixels stand side by side, one block of threads meets all 256 of a bin. */
static void edges_have_whole_runs_in_every_other_region(void **state) {
    struct strip strip = filled(input_named("edges"), problem.check_shape, 2, 2, 3);
    size_t longest[2] = {0};

    (void)state;
    for (size_t region = 0; region < 2; region++) {
        const uint32_t *pixels = strip_row(&strip, region * strip.region_rows);
        size_t run = 1;
        for (size_t i = 1; i < strip_window_bytes(&strip) / sizeof *pixels; i++) {
            run = pixels[i] == pixels[i - 1] ? run + 1 : 1;
            longest[region] = run > longest[region] ? run : longest[region];
        }
    }
    assert_true(longest[0] < 100);
    assert_true(longest[1] >= 512);
    free(strip.elements);
}

/* ---- the check -------------------------------------------------------------------------- */

static size_t rounded_up(size_t size, size_t to) { return (size + to - 1) / to * to; }

/* The number of pixels used tells the mistake: a size, rows or columns that are rounded, or rows
 * and columns that are confused. Neither rows nor columns are what a thread or a block takes. */
static void mistakes_in_bounds_use_different_numbers_of_pixels(void **state) {
    size_t rows = problem.check_shape.rows, columns = problem.check_shape.columns;
    size_t size = rows * columns, of_columns[20], of_rows[20], n = 0;

    (void)state;
    of_columns[n] = rows * (columns - 1), of_rows[n++] = (rows - 1) * columns;
    of_columns[n] = rows * (columns + 1), of_rows[n++] = (rows + 1) * columns;
    of_columns[n] = columns * columns, of_rows[n++] = rows * rows;
    for (size_t to = 2; to <= 1024; to *= 2, n++) {
        of_columns[n] = rows * rounded_up(columns, to);
        of_rows[n] = rounded_up(rows, to) * columns;
    }
    for (size_t to = 2; to <= 1024; to *= 2)
        for (size_t i = 0; i < n; i++) {
            assert_true(rounded_up(size, to) != of_columns[i]);
            assert_true(rounded_up(size, to) != of_rows[i]);
            assert_true(rounded_up(size, to) - to != of_columns[i]);
            assert_true(rounded_up(size, to) - to != of_rows[i]);
            for (size_t j = 0; j < n; j++)
                assert_true(of_rows[i] != of_columns[j]);
        }
    for (size_t threads = 32; threads <= 16384; threads *= 2)
        for (size_t more = 0; more <= 1; more++) {
            assert_true(size / threads + more != rows);
            assert_true(size / threads + more != columns);
        }
    assert_true(columns > 1024 && columns % 2);
}

static void the_first_wrong_bin_is_named(void **state) {
    uint8_t expected[HISTO_BINS] = {0}, got[HISTO_BINS] = {0};
    char why[100] = "";

    (void)state;
    assert_true(problem.right(expected, got, why, sizeof why));
    got[1023] = 255;
    assert_false(problem.right(expected, got, why, sizeof why));
    assert_string_equal(why, "bin 1023: expected 0, got 255");
    expected[7] = 254;
    assert_false(problem.right(expected, got, why, sizeof why));
    assert_string_equal(why, "bin 7: expected 254, got 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_in_bounds_use_different_numbers_of_pixels),
        cmocka_unit_test(expected_outputs_and_solutions_equal_naive_counts),
        cmocka_unit_test(the_same_in_shapes_that_nobody_chose),
        cmocka_unit_test(the_1000_outputs_of_a_sample_all_differ),
        cmocka_unit_test(every_pixel_is_a_bin),
        cmocka_unit_test(the_walk_is_unbroken),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(walk_is_salted),
        cmocka_unit_test(course_is_the_courses_walk_seed_by_seed),
        cmocka_unit_test(uniform_fills_all_bins_alike),
        cmocka_unit_test(constant_is_one_bin_a_region),
        cmocka_unit_test(hot_is_nine_tenths_one_bin),
        cmocka_unit_test(ramp_counts_up),
        cmocka_unit_test(edges_have_counts_of_254_255_and_256),
        cmocka_unit_test(edges_end_in_pixels_that_are_alone_in_their_bins),
        cmocka_unit_test(edges_have_whole_runs_in_every_other_region),
        cmocka_unit_test(the_first_wrong_bin_is_named),
    };

    return cmocka_run_group_tests_name("opt_2dhisto", tests, NULL, NULL);
}
