/* Tests of common/problems/opt_sum/problem.c: its expected outputs, its tolerance, the CPU's
 * solutions. */
#include "sister.h"

#include <math.h>

#include "judge/diagnosis/diagnosis.h"
#include "random.h"

enum { REFERENCE, ALL_CORES, PAIRS, ONE_FLOAT };

/* Pairs, pairs of those, ...; the last of an odd number goes along alone. */
static float sum_in_pairs(const float *data, size_t count) {
    const size_t half = (count + 1) / 2;
    if (count < 2)
        return count ? data[0] : 0;
    float *sums = malloc(half * sizeof *sums), sum;
    for (size_t i = 0; i < half; i++)
        sums[i] = data[2 * i] + (2 * i + 1 < count ? data[2 * i + 1] : 0);
    sum = sum_in_pairs(sums, half);
    free(sums);
    return sum;
}

static float sum_in_float(const float *data, size_t count) {
    float sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += data[i];
    return sum;
}

static float solve(int solution, const float *data, struct shape shape) {
    const size_t count = shape.rows * shape.columns;
    float sum;
    if (solution >= PAIRS)
        return (solution == PAIRS ? sum_in_pairs : sum_in_float)(data, count);
    problem.solutions[solution].solve(data, shape, &sum);
    return sum;
}

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
    float got;

    assert_true(problem.expected_bytes <= sizeof expected);
    for (size_t i = 0; i < window_size(strip); i++) {
        sum += data[i];
        magnitude += fabsf(data[i]);
    }
    problem.expect(strip, index, row, expected);
    assert_true(fabsl(expected_sum(expected) - sum) <= 1e-14L * magnitude);
    for (int solution = REFERENCE; solution <= PAIRS; solution++) {
        got = solve(solution, data, strip->window);
        if (!problem.right(expected, &got, why, sizeof why))
            fail_msg("solution %d, %zu elements: %s", solution, window_size(strip), why);
    }
}

static void expected_outputs_equal_naive_sums_and_pairs_are_right(void **state) {
    (void)state;
    for_all_windows(check_outputs);
}

/* The first window: which solutions are right, and how far is each off? */
static void solve_all(const struct strip *strip, bool right[ONE_FLOAT + 1],
                      double error[ONE_FLOAT + 1]) {
    void *index = problem.prepare(strip);
    char expected[64], why[256];
    float got;

    assert_non_null(index);
    problem.expect(strip, index, 0, expected);
    for (int solution = REFERENCE; solution <= ONE_FLOAT; solution++) {
        got = solve(solution, strip->elements, strip->window);
        error[solution] = problem.error(expected, &got);
        right[solution] = problem.right(expected, &got, why, sizeof why);
    }
    free(index);
}

/* Of the full size, for a sample, in one region. */
static struct strip full;

static int fill_full(void **state) {
    (void)state;
    full = filled(&problem.inputs[0], problem.shape, 1, GRADED_CALLS, 20261120);
    return 0;
}

static int free_full(void **state) {
    (void)state;
    free(full.elements);
    return 0;
}

static void at_full_size_pairs_are_right_and_one_float_is_not(void **state) {
    bool right[ONE_FLOAT + 1];
    double error[ONE_FLOAT + 1];

    (void)state;
    solve_all(&full, right, error);
    assert_true(right[REFERENCE] && error[REFERENCE] < 1e-7);
    assert_true(right[PAIRS] && error[PAIRS] < 4e-7); /* ten times below the tolerance: with room */
    assert_true(!right[ONE_FLOAT] && error[ONE_FLOAT] > 0.6 && error[ONE_FLOAT] < 0.7);
}

static void small_sums_are_right_in_any_order(void **state) {
    bool right[ONE_FLOAT + 1];
    double error[ONE_FLOAT + 1];

    (void)state;
    for (size_t count = 0; count <= 1000; count += count < 100 ? 1 : 9) {
        struct strip strip = filled(&problem.inputs[0], (struct shape){count, 1}, 1, 1, 20261120);
        solve_all(&strip, right, error);
        assert_true(right[ONE_FLOAT]);
        free(strip.elements);
    }
}

static void what_is_no_number_is_wrong(void **state) {
    struct strip strip = filled(&problem.inputs[0], (struct shape){10, 1}, 1, 1, 1);
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
    struct strip strip = filled(&problem.inputs[0], (struct shape){0, 1}, 1, 1, 1);
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
    check_answers_differ(&full, by_sum, passes_for);
}

/* ---- diagnoses -------------------------------------------------------------------------- */

enum { CALLS = 4, POISON = 0x7a };

/* What a mistake gives for a call whose window is this; made again, in round 1. */
typedef float mistake_made(const float *data, size_t count, double right, uint64_t *random);

static const char *diagnose(mistake_made *mistake, size_t count, size_t calls) {
    static char text[512];
    struct strip strip = filled(&problem.inputs[0], (struct shape){count, 1}, 1, calls, 20261120);
    void *index = problem.prepare(&strip);
    uint64_t random = 3, rows[CALLS];
    float outputs[2][CALLS];
    char why[256];

    strip_windows(&strip, &random, rows, calls);
    struct diagnosis *diagnosis = diagnosis_begin(&problem, &strip, calls, POISON, true);
    for (int round = 0; round < 2; round++)
        for (size_t call = 0; call < calls; call++) {
            void *expected = diagnosis_expected(diagnosis, call);
            problem.expect(&strip, index, rows[call], expected);
            float *got = &outputs[round][call];
            *got = mistake(strip_row(&strip, rows[call]), count, expected_sum(expected), &random);
            if (round == 0 && !problem.right(expected, got, why, sizeof why))
                diagnosis_wrong(diagnosis, call, rows[call], got);
        }
    diagnosis_name(diagnosis, (char *)outputs[0], (char *)outputs[1], sizeof(float), text,
                   sizeof text);
    diagnosis_end(diagnosis);
    free(index);
    free(strip.elements);
    return text;
}

static void expect_text(mistake_made *mistake, size_t count, size_t calls, const char *begins) {
    const char *text = diagnose(mistake, count, calls);
    if (strncmp(text, begins, strlen(begins)) != 0 || (!*begins && *text))
        fail_msg("expected '%s', got '%s'", begins, text);
}

static float in_turn(const float *data, size_t count, double right, uint64_t *random) {
    (void)right, (void)random;
    return sum_in_float(data, count);
}

static float stuck(const float *data, size_t count, double right, uint64_t *random) {
    (void)data, (void)count, (void)right, (void)random;
    return 0x1p24f;
}

static float lose_some(const float *data, size_t count, double right, uint64_t *random) {
    (void)data, (void)count;
    return right * (1 - (1 + random_below(random, 1000)) / 5000.0);
}

static float in_fixed_point(const float *data, size_t count, double right, uint64_t *random) {
    double sum = 0;
    (void)right, (void)random;
    for (size_t i = 0; i < count; i++)
        sum += floor(data[i] * 0x1p9);
    return sum * 0x1p-9;
}

/* Off by little more than rounding may be. */
static float just_off(const float *data, size_t count, double right, uint64_t *random) {
    (void)data, (void)count;
    return right * (1 + (5 + random_below(random, 5)) * 1e-6);
}

static float nothing(const float *data, size_t count, double right, uint64_t *random) {
    float poison;
    (void)data, (void)count, (void)right, (void)random;
    memset(&poison, POISON, sizeof poison);
    return poison;
}

#define ROUNDING "The sum is off by little: as rounding makes it where one float takes"

static void mistakes_are_told_by_their_sums(void **state) {
    (void)state;
    expect_text(in_turn, 8000000, 1, ROUNDING);
    expect_text(just_off, 4000000, 1, ROUNDING);
    expect_text(stuck, 40000000, 1, ROUNDING);
    expect_text(in_fixed_point, 13, 1, "");
    expect_text(lose_some, 4099, CALLS, "The same calls made again give different outputs");
    expect_text(nothing, 4099, CALLS, "The output still holds what it held before the call.");
}

/* The same every time, since it depends on the window alone. */
static float off(const float *data, size_t count, double right, uint64_t *random) {
    uint64_t own = data[0] * 0x1p24;
    (void)count, (void)random;
    return right * (1 + (random_below(&own, 2001) - 1000.5) / 3000);
}

static float off_a_little(const float *data, size_t count, double right, uint64_t *random) {
    uint64_t own = data[0] * 0x1p24;
    (void)count, (void)random;
    return right * (1 + (random_below(&own, 2001) - 1000.5) / 1e7 + 2e-4);
}

static void of_other_sums_nothing_is_said(void **state) {
    (void)state;
    for (size_t count = 4099; count < 4199; count++) {
        expect_text(off, count, CALLS, "");
        expect_text(off_a_little, count, CALLS, "");
    }
    expect_text(off, 4000000, 1, "");
    expect_text(off_a_little, 4000000, 1, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_outputs_equal_naive_sums_and_pairs_are_right),
        cmocka_unit_test(at_full_size_pairs_are_right_and_one_float_is_not),
        cmocka_unit_test(small_sums_are_right_in_any_order),
        cmocka_unit_test(what_is_no_number_is_wrong),
        cmocka_unit_test(of_nothing_only_zero_is_right),
        cmocka_unit_test(the_answers_of_a_region_differ_by_more_than_the_tolerance),
        cmocka_unit_test(mistakes_are_told_by_their_sums),
        cmocka_unit_test(of_other_sums_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, fill_full, free_full);
}
