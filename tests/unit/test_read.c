/* Tests of common/judge/timing/read.c: the sum that a streaming read must return. */
#include "unit.h"

#include "judge/timing/read.h"
#include "judge/strip.h"
#include "random.h"

static uint32_t naive_sum(const struct strip *strip, size_t row) {
    const char *bytes = strip_row(strip, row);
    uint32_t sum = 0, word;
    for (size_t at = 0; at + sizeof word <= strip_window_bytes(strip); at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        sum += word;
    }
    return sum;
}

static void check(size_t element_bytes, struct shape shape, size_t regions) {
    struct problem any = {.element_bytes = element_bytes}, read = read_problem(&any);
    struct strip strip = strip_plan(&read, shape, regions, 20, true);
    uint64_t random = shape.columns, rows[20];
    size_t bytes = strip_bytes(&strip);
    unsigned char *elements = malloc(bytes ? bytes : 1);

    for (size_t i = 0; i < bytes; i++)
        elements[i] = random_next(&random);
    strip.elements = elements;
    void *index = read.prepare(&strip);
    assert_non_null(index);
    strip_windows(&strip, &random, rows, COUNT(rows));
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t sum;
        read.expect(&strip, index, rows[i], &sum);
        assert_int_equal(sum, naive_sum(&strip, rows[i]));
    }
    for (size_t i = 0; i < 20 && bytes; i++) {
        uint64_t value = random_next(&random);
        read.change(&strip, index, random_below(&random, bytes / element_bytes), &value);
    }
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t sum;
        read.expect(&strip, index, rows[i], &sum);
        assert_int_equal(sum, naive_sum(&strip, rows[i]));
    }
    struct shape words = read_shape(&strip);
    assert_int_equal(words.rows, strip_window_bytes(&strip) / 4);
    assert_int_equal(words.columns, 1);
    free(index);
    free(elements);
}

static void sums_equal_naive_sums(void **state) {
    static const struct shape shapes[] = {{47, 1301}, {1, 1},   {1, 31}, {33, 1}, {1000, 1},
                                          {4, 3984},  {3, 127}, {0, 7},  {7, 0},  {5, 2}};

    (void)state;
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t regions = 1; regions <= 4; regions++) {
            check(1, shapes[s], regions);
            check(4, shapes[s], regions);
        }
}

static void sums_are_compared(void **state) {
    struct problem any = {.element_bytes = 4}, read = read_problem(&any);
    uint32_t expected = 4000000000u, got = 7;
    char why[100];

    (void)state;
    assert_int_equal(read.output_bytes, 4);
    assert_true(read.right(&expected, &expected, why, sizeof why));
    assert_false(read.right(&expected, &got, why, sizeof why));
    assert_string_equal(why, "sum of all words: expected 4000000000, got 7");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_equal_naive_sums),
        cmocka_unit_test(sums_are_compared),
    };

    return cmocka_run_group_tests_name("read", tests, NULL, NULL);
}
