/* Tests of common/judge/diagnosis/reading.c: which elements were never read, or more than once, in
 * words. */
#include "unit.h"

#include "judge/diagnosis/reading.h"

enum { ROWS = 20, COLUMNS = 30, SIZE = ROWS * COLUMNS };

static const struct shape image = {ROWS, COLUMNS}, array = {SIZE, 1};

static const struct problem cells = {.element = "cell", .element_bytes = 4};

/* How often element i was read. */
static void expect_reading(struct shape shape, uint32_t (*times)(size_t i), enum reading reading,
                           const char *expected) {
    struct reads *reads = calloc(1, reads_bytes(SIZE));
    char text[300];
    const struct wrong_call of = {
        .reads = reads, .problem = &problem, .program = "", .shape = shape};
    reads_clean(reads);
    for (size_t i = 0; i < SIZE; i++)
        reads->of[i].times = times(i);
    assert_int_equal(reading_describe(&of, "", TEXT(text)), reading);
    assert_string_equal(text, expected);
    free(reads);
}

static uint32_t none(size_t i) { return i * 0; }
static uint32_t once(size_t i) { return i * 0 + 1; }
static uint32_t four_times(size_t i) { return i * 0 + 4; }
static uint32_t not_the_first(size_t i) { return i > 0; }
static uint32_t not_the_last(size_t i) { return i < SIZE - 1; }
static uint32_t not_the_end(size_t i) { return i < SIZE - 7; }
static uint32_t not_the_middle(size_t i) { return i < 100 || i > 103; }
static uint32_t no_third_row(size_t i) { return i / COLUMNS != 2; }
static uint32_t no_last_columns(size_t i) { return i % COLUMNS < COLUMNS - 3; }
static uint32_t no_odd(size_t i) { return i % 2 == 0; }
static uint32_t gaps(size_t i) { return i % 40 < 32; }
static uint32_t overlaps(size_t i) { return i >= 64 && i % 64 < 8 ? 2 : 1; }
static uint32_t primes(size_t i) { return i == 2 || i == 3 || i == 5 || i == 7 || i == 11 ? 0 : 1; }
static uint32_t few_primes(size_t i) { return i == 2 || i == 3 || i == 5 || i == 7 ? 0 : 1; }
static uint32_t no_corner(size_t i) { return i / COLUMNS < ROWS - 2 && i % COLUMNS < COLUMNS - 1; }
static uint32_t shifted(size_t i) { return i == 0 ? 0 : i == SIZE - 1 ? 2 : 1; }
static uint32_t uneven(size_t i) { return 2 + i % 3; }

static void all_alike(void **state) {
    (void)state;
    expect_reading(image, once, READING_ONCE, "Every pixel is read once.");
    expect_reading(image, none, READING_ODD,
                   "No pixel is read. Look whether the kernel that reads is launched, and uses "
                   "what it reads.");
    expect_reading(image, four_times, READING_ODD, "Every pixel is read 4 times.");
    expect_reading(image, uneven, READING_ODD, "Every pixel is read 2 to 4 times.");
}

static void stretches(void **state) {
    (void)state;
    expect_reading(array, not_the_first, READING_ODD, "Pixel 0, the first, is never read.");
    expect_reading(array, not_the_last, READING_ODD, "Pixel 599, the last, is never read.");
    expect_reading(array, not_the_end, READING_ODD, "The last 7 pixels are never read.");
    expect_reading(array, not_the_middle, READING_ODD, "Pixels 100 to 103 are never read.");
    expect_reading(image, no_third_row, READING_ODD, "Row 2 is never read.");
    expect_reading(array, shifted, READING_ODD,
                   "Pixel 0, the first, is never read. Pixel 599, the last, is read twice.");
}

static void patterns(void **state) {
    (void)state;
    expect_reading(image, no_last_columns, READING_ODD,
                   "Columns 27 to 29 of every row are never read.");
    expect_reading(array, no_last_columns, READING_ODD,
                   "Pixels 27 to 29 of every 30 are never read.");
    expect_reading(array, no_odd, READING_ODD, "Pixel 1 of every 2 is never read.");
    expect_reading(image, gaps, READING_ODD, "Pixels 32 to 39 of every 40 are never read.");
    expect_reading(image, overlaps, READING_ODD,
                   "8 of every 64 pixels, from number 64 on, are read twice.");
    expect_reading(image, primes, READING_ODD,
                   "5 of the 598 pixels from number 2 on are never read.");
    expect_reading(image, no_corner, READING_ODD,
                   "78 of the 571 pixels from number 29 on are never read.");
    expect_reading(array, few_primes, READING_ODD, "Pixels 2, 3, 5 and 7 are never read.");
}

/* A stencil reads each as often as it has neighbours. */
static void what_may_be_read_again_is_not_told(void **state) {
    (void)state;
    struct reads *reads = calloc(1, reads_bytes(SIZE));
    char text[300];
    const struct wrong_call of = {.reads = reads, .problem = &cells, .program = "", .shape = image};
    reads_clean(reads);
    for (size_t i = 0; i < SIZE; i++)
        reads->of[i].times = i < SIZE - 7 ? 4 : 0;
    assert_int_equal(reading_describe(&of, "", TEXT(text)), READING_ODD);
    assert_string_equal(text, "The last 7 cells are never read.");
    for (size_t i = 0; i < SIZE; i++)
        reads->of[i].times = 1 + i % 4;
    assert_int_equal(reading_describe(&of, "", TEXT(text)), READING_ONCE);
    assert_string_equal(text, "Every cell is read.");
    free(reads);
}

static void nothing_is_said_of_what_was_not_counted(void **state) {
    (void)state;
    char text[300] = "x";
    const struct wrong_call of = {.problem = &problem, .program = "", .shape = image};
    assert_int_equal(reading_describe(&of, "", TEXT(text)), READING_UNKNOWN);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_alike),
        cmocka_unit_test(stretches),
        cmocka_unit_test(patterns),
        cmocka_unit_test(what_may_be_read_again_is_not_told),
        cmocka_unit_test(nothing_is_said_of_what_was_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
