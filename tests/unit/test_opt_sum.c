/* Tests of common/problem_opt_sum.c: its expected outputs, its tolerance, the CPU's ladder. */
#include "sister.h"

#include <math.h>

enum { REFERENCE, PAIRS, ONE_FLOAT };

/* What struct expected begins with. */
static double expected_sum(const void *expected) {
    double parts[2];
    memcpy(parts, expected, sizeof parts);
    return parts[0] + parts[1];
}

static void check_outputs(const struct strip *strip, const void *index, size_t row) {
    const float *data = strip_row(strip, row);
    long double sum = 0, magnitude = 0;
    char expected[64], why[256];
    float got[2];

    assert_true(problem.expected_bytes <= sizeof expected);
    for (size_t i = 0; i < strip->window.rows; i++) {
        sum += data[i];
        magnitude += fabsf(data[i]);
    }
    problem.expect(strip, index, row, expected);
    assert_true(fabsl(expected_sum(expected) - sum) <= 1e-14L * magnitude);
    for (int solution = REFERENCE; solution <= PAIRS; solution++) {
        problem.solutions[solution].solve(data, strip->window, &got[solution]);
        if (!problem.right(expected, &got[solution], why, sizeof why))
            fail_msg("%s, %zu elements: %s", problem.solutions[solution].name, strip->window.rows,
                     why);
    }
}

static void expected_outputs_equal_naive_sums_and_pairs_are_right(void **state) {
    (void)state;
    for_all_windows(check_outputs);
}

/* One window of so many elements: is a solution right, and how far is it off? */
static bool solved(size_t count, int solution, double *error) {
    struct strip strip = filled(&problem.inputs[0], count, 1, 1, 20261120);
    void *index = problem.prepare(&strip);
    char expected[64], why[256];
    float got;

    assert_non_null(index);
    problem.expect(&strip, index, 0, expected);
    problem.solutions[solution].solve(strip.elements, strip.window, &got);
    *error = problem.error(expected, &got);
    bool right = problem.right(expected, &got, why, sizeof why);
    free(index);
    free(strip.elements);
    return right;
}

static void at_full_size_pairs_are_right_and_one_float_is_not(void **state) {
    double error;

    (void)state;
    assert_true(solved(problem.shape.rows, REFERENCE, &error));
    assert_true(error < 1e-7);
    assert_true(solved(problem.shape.rows, PAIRS, &error));
    assert_true(error < 4e-7); /* ten times below the tolerance: with room */
    assert_false(solved(problem.shape.rows, ONE_FLOAT, &error));
    assert_true(error > 0.6 && error < 0.7);
}

static void small_sums_are_right_in_any_order(void **state) {
    double error;

    (void)state;
    for (size_t count = 0; count <= 1000; count++)
        assert_true(solved(count, ONE_FLOAT, &error));
}

static void what_is_no_number_is_wrong(void **state) {
    struct strip strip = filled(&problem.inputs[0], 10, 1, 1, 1);
    void *index = problem.prepare(&strip);
    static const float wrong[] = {NAN, INFINITY, -INFINITY, 3e38f};
    char expected[64], why[256];

    (void)state;
    problem.expect(&strip, index, 0, expected);
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_false(problem.right(expected, &wrong[i], why, sizeof why));
    free(index);
    free(strip.elements);
}

static void of_nothing_only_zero_is_right(void **state) {
    struct strip strip = filled(&problem.inputs[0], 0, 1, 1, 1);
    void *index = problem.prepare(&strip);
    const float zero = 0, tiny = 1e-30f;
    char expected[64], why[256];

    (void)state;
    problem.expect(&strip, index, 0, expected);
    assert_true(problem.right(expected, &zero, why, sizeof why));
    assert_false(problem.right(expected, &tiny, why, sizeof why));
    free(index);
    free(strip.elements);
}

static int by_sum(const void *a, const void *b) {
    double x = expected_sum(a), y = expected_sum(b);
    return (x > y) - (x < y);
}

/* A kept answer passes where the tolerance hides the difference. Two regions may come that close,
 * but then a kept answer is right once in each. */
static bool passes_for(const void *a, const void *b) {
    char why[256];
    float kept = expected_sum(a);
    return problem.right(b, &kept, why, sizeof why);
}

static void the_answers_of_a_region_differ_by_more_than_the_tolerance(void **state) {
    (void)state;
    check_answers_differ(1, by_sum, passes_for);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_outputs_equal_naive_sums_and_pairs_are_right),
        cmocka_unit_test(at_full_size_pairs_are_right_and_one_float_is_not),
        cmocka_unit_test(small_sums_are_right_in_any_order),
        cmocka_unit_test(what_is_no_number_is_wrong),
        cmocka_unit_test(of_nothing_only_zero_is_right),
        cmocka_unit_test(the_answers_of_a_region_differ_by_more_than_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
