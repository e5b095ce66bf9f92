/* Tests of common/problems/opt_bytehisto/problem.c: its expected outputs, its solutions, its second
 * check.
 */
#include "sister.h"

#include "judge/diagnosis/diagnosis.h"

static void check_outputs(const struct strip *strip, const void *index, size_t row) {
    const uint8_t *bytes = strip_row(strip, row);
    uint32_t counts[BYTE_BINS] = {0}, expected[BYTE_BINS], solved[BYTE_BINS];
    char why[256];

    for (size_t i = 0; i < window_size(strip); i++)
        counts[bytes[i]]++;
    problem.expect(strip, index, row, expected);
    assert_memory_equal(expected, counts, sizeof counts);
    for (const struct solution *solution = problem.solutions; solution->name; solution++) {
        solution->solve(bytes, strip->window, solved);
        assert_memory_equal(solved, counts, sizeof counts);
    }
    assert_true(problem.recheck(bytes, strip->window, counts, why, sizeof why));
}

static void expected_outputs_and_solutions_equal_naive_counts(void **state) {
    (void)state;
    for_all_windows(check_outputs);
}

static void the_1000_outputs_of_a_sample_all_differ(void **state) {
    struct strip strip = quarter_of_the_graded();

    (void)state;
    check_answers_differ(&strip, compare_outputs, same_outputs);
    free(strip.elements);
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

/* Where packed counters carry, the bin above is wrong too. */
static void one_bin_has_carried_nothing(void **state) {
    struct strip strip = filled(&problem.inputs[0], (struct shape){512, 512}, 1, 1, 5);
    void *index = problem.prepare(&strip);
    uint32_t got[BYTE_BINS];
    char text[512];

    (void)state;
    assert_non_null(index);
    struct diagnosis *diagnosis = diagnosis_begin(&problem, &strip, 1, 0x7a, true);
    problem.expect(&strip, index, 0, diagnosis_expected(diagnosis, 0));
    memcpy(got, diagnosis_expected(diagnosis, 0), sizeof got);
    assert_true(got[7] >= 1 << 8);
    got[7] -= 1 << 8;
    diagnosis_wrong(diagnosis, 0, 0, got);
    assert_false(
        diagnosis_name(diagnosis, (char *)got, (char *)got, sizeof got, text, sizeof text));
    diagnosis_end(diagnosis);
    free(index);
    free(strip.elements);
}

/* One bin that lacks a multiple of 65536 is enough, and it is no counter of 8 bits. */
static void a_counter_of_16_bits_has_overflowed(void **state) {
    struct strip strip = filled(&problem.inputs[0], (struct shape){512, 512}, 1, 1, 5);
    uint32_t got[BYTE_BINS];
    char text[512];

    (void)state;
    memset(strip.elements, 7, window_size(&strip) / 2);
    void *index = problem.prepare(&strip);
    assert_non_null(index);
    struct diagnosis *diagnosis = diagnosis_begin(&problem, &strip, 1, 0x7a, true);
    problem.expect(&strip, index, 0, diagnosis_expected(diagnosis, 0));
    memcpy(got, diagnosis_expected(diagnosis, 0), sizeof got);
    got[7] -= 1 << 16;
    diagnosis_wrong(diagnosis, 0, 0, got);
    assert_true(diagnosis_name(diagnosis, (char *)got, (char *)got, sizeof got, text, sizeof text));
    assert_non_null(strstr(text, "multiples of 65536, as where counters of 16 bits"));
    diagnosis_end(diagnosis);
    free(index);
    free(strip.elements);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_outputs_and_solutions_equal_naive_counts),
        cmocka_unit_test(the_1000_outputs_of_a_sample_all_differ),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(one_bin_has_carried_nothing),
        cmocka_unit_test(a_counter_of_16_bits_has_overflowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
