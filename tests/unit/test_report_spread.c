/* Tests of report/views/spread.h. tests/cli/compare.bats has what report/compare says of recorded
 * runs. */
#include "unit.h"

#include <math.h>

#include "lib/rows.h"
#include "views/spread.h"

static void assert_near(double a, double b) {
    if (!(fabs(a - b) <= 1e-6 * fabs(b)))
        fail_msg("%.9g is not %.9g", a, b);
}

static void intervals_agree_with_tables(void **state) {
    (void)state;
    assert_true(fabs(student_quantile(0.975, 6) - 2.446912) < 0.01);
    assert_true(fabs(student_quantile(0.9995, 8) - 5.041305) < 0.1);
    assert_true(fabs(student_quantile(0.975, 200) - 1.971896) < 1e-4);
}

static struct rounds rounds_of(double asked, double *samples, size_t count) {
    struct row row = {.r = {.samples_asked = asked, .iterations = 1}};
    struct rounds rounds = {0};
    row.r.samples_s = (struct record_numbers){.item = samples, .count = count};
    add_rounds(&rounds, &row);
    return rounds;
}

static void a_round_has_five_samples_and_those_asked_for_come_first(void **state) {
    double samples[] = {2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3};
    (void)state;
    struct rounds rounds = rounds_of(6, samples, 12);
    assert_int_equal(rounds.count, 4); /* 5, 1, 5, 1 */
    assert_near(rounds.value[1], log(2));
    assert_near(rounds.value[2], log(3));
    assert_int_equal(rounds_of(NAN, samples, 12).count, 3);
    assert_int_equal(rounds_of(-1, samples, 12).count, 3);
    assert_int_equal(rounds_of(5, samples, 0).count, 0);
}

static void a_disturbed_sample_is_left_out(void **state) {
    double samples[] = {1.3, 1, 1.002, 1, 1.002}, apart[] = {1, 2};
    (void)state;
    assert_near(mean_of(&(struct rounds){rounds_of(5, samples, 5).value, 1}), log(1.002) / 2);
    assert_near(rounds_of(2, apart, 2).value[0], log(2) / 2);
}

/* Eight steps tell how far rounds lie apart; fewer do not, and a library's say nothing of theirs.
 */
static void the_common_variance_is_that_of_eight_steps(void **state) {
    double value[] = {0, 0.1};
    const struct rounds rounds = {value, 2};
    struct pair pair[8];
    (void)state;
    for (size_t i = 0; i < 8; i++)
        pair[i] = (struct pair){.before = &rounds, .after = &rounds};
    assert_near(common_variance(pair, 8), 0.005 / pow(8 / 9.0, 3));
    assert_near(common_variance(pair, 7), 0.0023 * 0.0023);
    pair[0].is_library = true;
    assert_near(common_variance(pair, 8), 0.0023 * 0.0023);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_agree_with_tables),
        cmocka_unit_test(a_round_has_five_samples_and_those_asked_for_come_first),
        cmocka_unit_test(a_disturbed_sample_is_left_out),
        cmocka_unit_test(the_common_variance_is_that_of_eight_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
