/* Tests of common/problems/opt_bytehisto/problem.c: its expected outputs, its reference, its second
 * check.
 */
#include "sister.h"

static void check_outputs(const struct strip *strip, const void *index, size_t row) {
    const uint8_t *bytes = strip_row(strip, row);
    uint32_t counts[BYTE_BINS] = {0}, expected[BYTE_BINS], reference[BYTE_BINS];
    char why[256];

    for (size_t i = 0; i < window_size(strip); i++)
        counts[bytes[i]]++;
    problem.expect(strip, index, row, expected);
    problem.solutions[0].solve(bytes, strip->window, reference);
    assert_memory_equal(expected, counts, sizeof counts);
    assert_memory_equal(reference, counts, sizeof counts);
    assert_true(problem.recheck(bytes, strip->window, counts, why, sizeof why));
}

static void expected_outputs_and_reference_equal_naive_counts(void **state) {
    (void)state;
    for_all_windows(check_outputs);
}

static void the_1000_outputs_of_a_sample_all_differ(void **state) {
    (void)state;
    check_answers_differ(cold_regions(), compare_outputs, same_outputs);
}

static void what_is_wrong_is_said(void **state) {
    const uint8_t buffer[] = {3, 3, 200};
    uint32_t right[BYTE_BINS] = {[3] = 2, [200] = 1}, wrong[BYTE_BINS] = {[3] = 2, [200] = 2};
    char why[256];

    (void)state;
    assert_true(problem.right(right, right, why, sizeof why));
    assert_false(problem.right(right, wrong, why, sizeof why));
    assert_string_equal(why, "bin 200: expected 1, got 2");
    assert_true(problem.recheck(buffer, (struct shape){3, 1}, right, why, sizeof why));
    assert_false(problem.recheck(buffer, (struct shape){3, 1}, wrong, why, sizeof why));
    assert_string_equal(why, "bin 200: 1 left after counting down on the CPU");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_outputs_and_reference_equal_naive_counts),
        cmocka_unit_test(the_1000_outputs_of_a_sample_all_differ),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
