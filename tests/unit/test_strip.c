/* Tests of common/judge/strip.c: where the inputs of calls lie. */
#include "unit.h"

#include "judge/options.h"
#include "judge/strip.h"
#include "judge/timing/layout.h"

enum { H200_L2 = 62914560, MOST_CALLS = 3000 };

static const size_t element_sizes[] = {1, 4, 8};
static const struct shape shapes[] = {
    {4096, 3984}, {47, 1301}, {1, 1},   {1, 32},  {32, 1}, {1000, 1}, {1000003, 1}, {3, 31},
    {3, 33},      {7, 128},   {5, 127}, {100, 2}, {0, 0},  {0, 5},    {5, 0},
};

/* Call check(strip, calls) for strips of all kinds. */
static void for_all_strips(void (*check)(const struct strip *strip, size_t calls)) {
    static const size_t regions[] = {1, 2, 3, 4, 7}, calls[] = {1, 2, 9, 1000, MOST_CALLS};

    for (size_t e = 0; e < COUNT(element_sizes); e++)
        for (size_t s = 0; s < COUNT(shapes); s++)
            for (size_t r = 0; r < COUNT(regions); r++)
                for (size_t c = 0; c < COUNT(calls); c++)
                    for (int slides = 0; slides <= 1; slides++) {
                        struct problem problem = {.element_bytes = element_sizes[e]};
                        struct strip strip =
                            strip_plan(&problem, shapes[s], regions[r], calls[c], slides);
                        assert_int_equal(strip.regions, regions[r]);
                        check(&strip, calls[c]);
                    }
}

static uint64_t rows[MOST_CALLS];

static void draw(const struct strip *strip, size_t calls, uint64_t seed) {
    strip_windows(strip, &seed, rows, calls);
}

static void check_place(const struct strip *strip, size_t calls) {
    draw(strip, calls, 1);
    for (size_t call = 0; call < calls; call++) {
        size_t region = call % strip->regions;
        assert_int_equal(rows[call] * strip_row_bytes(strip) % 128, 0);
        assert_true(rows[call] >= region * strip->region_rows);
        assert_true(rows[call] + strip->window.rows <= (region + 1) * strip->region_rows);
    }
}

static void windows_are_aligned_and_inside_their_region(void **state) {
    (void)state;
    for_all_strips(check_place);
}

static int ascending(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void check_unique(const struct strip *strip, size_t calls) {
    size_t first = strip->regions * strip->positions;
    if (strip_row_bytes(strip) == 0)
        return; /* all windows are empty */
    draw(strip, calls, 2);
    if (first > calls)
        first = calls;
    qsort(rows, first, sizeof *rows, ascending);
    for (size_t i = 1; i < first; i++)
        assert_true(rows[i - 1] != rows[i] || strip->window.rows == 0);
}

static void no_window_comes_twice(void **state) {
    (void)state;
    for_all_strips(check_unique);
}

static void a_thousand_calls_get_a_thousand_windows(void **state) {
    struct problem problem = {.element_bytes = 4};
    struct strip strip = strip_plan(&problem, (struct shape){4096, 3984}, 4, 1000, true);

    (void)state;
    assert_true(strip.regions * strip.positions >= 1000);
    assert_int_equal(strip.align_rows, 2); /* an odd row of 15936 bytes is 64 bytes off */
    check_unique(&strip, 1000);
}

static void inputs_that_do_not_slide_have_one_window_a_region(void **state) {
    struct problem problem = {.element_bytes = 4};
    struct strip strip = strip_plan(&problem, (struct shape){47, 1301}, 8, 1000, false);

    (void)state;
    assert_int_equal(strip.positions, 1);
    draw(&strip, 100, 3);
    for (size_t call = 0; call < 100; call++)
        assert_int_equal(rows[call], call % 8 * strip.region_rows);
}

static void a_strip_is_no_larger_than_its_windows_need(void **state) {
    struct problem problem = {.element_bytes = 4};
    enum { REGIONS = 1000000, SLIDE = 2048 };
    struct strip small = strip_plan(&problem, (struct shape){1, 1}, REGIONS, 1000, SLIDE);
    struct strip wide =
        strip_plan(&problem, (struct shape){0, (size_t)1 << 32}, REGIONS, 1000, SLIDE);

    (void)state;
    assert_int_equal(strip_bytes(&small), (size_t)REGIONS * 128);
    assert_int_equal(strip_bytes(&wide), 0);

    /* Windows slide by elements: two rows of 1024, not 2048 rows of them. */
    struct strip rows_of = strip_plan(&problem, (struct shape){10, 1024}, 1, 5, SLIDE);
    assert_int_equal(rows_of.align_rows, 2);
    assert_int_equal(rows_of.region_rows, 10 + 4 * 2);
}

static void the_order_depends_on_the_seed_alone(void **state) {
    struct problem problem = {.element_bytes = 4};
    struct strip strip = strip_plan(&problem, (struct shape){4096, 3984}, 4, 1000, true);
    static uint64_t first[1000];

    (void)state;
    draw(&strip, 1000, 5);
    memcpy(first, rows, sizeof first);
    draw(&strip, 1000, 5);
    assert_memory_equal(first, rows, sizeof first);
    draw(&strip, 1000, 6);
    assert_memory_not_equal(first, rows, sizeof first);
}

/* Between two reads of a byte lie all the other regions' windows. */
static void caches_are_cold(void **state) {
    static const size_t windows[] = {65273856, 249124, 104857600, 400000000, 1, 128, 62914560};
    static const size_t caches[] = {H200_L2, 524288, 4194304, 1};

    (void)state;
    assert_int_equal(strip_cold_regions(65273856, H200_L2), 4);
    for (size_t w = 0; w < COUNT(windows); w++)
        for (size_t c = 0; c < COUNT(caches); c++) {
            size_t regions = strip_cold_regions(windows[w], caches[c]);
            assert_true(regions >= 2);
            assert_true(windows[w] < 128 || (regions - 1) * windows[w] >= 2 * caches[c]);
        }
    assert_true(strip_cold_regions(0, H200_L2) <
                10000000); /* an empty window is no division by 0 */
}

static void sizes_and_rows(void **state) {
    char memory[1];
    struct strip strip = {.window = {10, 3}, .regions = 2, .region_rows = 64, .element_bytes = 4};

    (void)state;
    strip.elements = memory;
    assert_int_equal(strip_row_bytes(&strip), 12);
    assert_int_equal(strip_window_bytes(&strip), 120);
    assert_int_equal(strip_bytes(&strip), 1536);
    assert_ptr_equal(strip_row(&strip, 0), memory);
    assert_int_equal((uintptr_t)strip_row(&strip, 32) - (uintptr_t)memory, 384);
}

/* One window for all calls, also of an input whose windows would slide. */
static void warm_calls_share_a_window(void **state) {
    static const struct input sliding = {.slide = 1};
    struct options options = options_default();
    options.source.input = problem.inputs;
    struct device device = {0};

    (void)state;
    options.shape = (struct shape){47, 1301};
    options.source.input = &sliding;
    options.iterations = 9;
    const struct strip slides = layout_graded(&problem, &options, &device);
    options.warm = true;
    const struct strip warm = layout_graded(&problem, &options, &device);
    assert_int_equal(warm.positions, 1);
    assert_true(slides.positions > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_aligned_and_inside_their_region),
        cmocka_unit_test(no_window_comes_twice),
        cmocka_unit_test(a_thousand_calls_get_a_thousand_windows),
        cmocka_unit_test(inputs_that_do_not_slide_have_one_window_a_region),
        cmocka_unit_test(a_strip_is_no_larger_than_its_windows_need),
        cmocka_unit_test(the_order_depends_on_the_seed_alone),
        cmocka_unit_test(caches_are_cold),
        cmocka_unit_test(sizes_and_rows),
        cmocka_unit_test(warm_calls_share_a_window),
    };

    return cmocka_run_group_tests_name("strip", tests, NULL, NULL);
}
