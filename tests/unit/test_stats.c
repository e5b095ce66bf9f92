/* Tests of common/judge/timing/stats.c. */
#include "unit.h"

#include <math.h>

#include "judge/timing/stats.h"

static void median_of_odd_and_even_counts(void **state) {
    double one[] = {7}, three[] = {3, 1, 2}, four[] = {40, 10, 30, 20}, same[] = {5, 5, 5, 5};

    (void)state;
    assert_true(stats_median(one, 1) == 7);
    assert_true(stats_median(three, 3) == 2);
    assert_true(stats_median(four, 4) == 25);
    assert_true(stats_median(same, 4) == 5);
}

static void median_puts_the_values_in_order(void **state) {
    double values[] = {3, 1, 4, 1, 5, 9, 2, 6};

    (void)state;
    stats_median(values, COUNT(values));
    for (size_t i = 1; i < COUNT(values); i++)
        assert_true(values[i - 1] <= values[i]);
}

/* Two values 2 apart: sd sqrt(2), 12.706 * sqrt(2 * 2 / 2). With a variance besides, more. */
static void another_run_differs_by_the_spread_of_both(void **state) {
    double two[] = {1, 3}, same[] = {5, 5, 5, 5, 5, 5, 5, 5};

    (void)state;
    assert_true(isinf(stats_next_run(two, 1, 0)));
    assert_true(fabs(stats_next_run(two, 2, 0) - 12.706 * sqrt(2)) < 1e-9);
    assert_true(stats_next_run(same, 8, 0) == 0);
    assert_true(fabs(stats_next_run(same, 8, 0.5) - 2.365) < 1e-9);
}

/* The quantile beyond the table meets it, and ends at the normal distribution's. */
static void the_quantile_goes_on_where_the_table_ends(void **state) {
    double values[101];

    (void)state;
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = i % 2 ? 1 : -1;
    for (size_t n = 14; n <= COUNT(values); n += 87) { /* 13 and 100 degrees of freedom */
        double squares = n - (n % 2 ? 1.0 / n : 0);
        double half = stats_next_run(values, n, 0) / sqrt(2 * squares / (n - 1) / n);
        assert_true(fabs(half - (n == 14 ? 2.1604 : 1.9840)) < 0.002);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_of_odd_and_even_counts),
        cmocka_unit_test(median_puts_the_values_in_order),
        cmocka_unit_test(another_run_differs_by_the_spread_of_both),
        cmocka_unit_test(the_quantile_goes_on_where_the_table_ends),
    };

    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
