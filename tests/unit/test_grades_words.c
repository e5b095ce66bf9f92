// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Tests of class/grades: exact points, and what an instructor may write. */
#include "unit.h"

#include "grades/amount.h"
#include "grades/assignment.h"
#include "grades/lines.h"
#include "grades/rubric.h"

static amount amount_of(const char *text) {
    amount value;
    assert_true(read_amount(text, 1000000 * POINT, &value));
    return value;
}

static void points_are_decimals(void **state) {
    (void)state;
    amount value;
    assert_string_equal(amount_text(amount_of("2.345")), "2.345");
    assert_string_equal(amount_text(amount_of("1000000")), "1000000");
    assert_string_equal(points(amount_of("12345.678")), "12345.68");
    assert_string_equal(points(0), "0");
    for (const char *const *text = (const char *const[]){"", ".5", "5.", "-1", "1e3", "1x",
                                                         "1000000.5", "99999999999999999999", NULL};
         *text; text++)
        assert_false(read_amount(*text, 1000000 * POINT, &value));
}

/* 1.005 and 2.675 are a little less as binary fractions. */
static void half_a_hundredth_is_rounded_up(void **state) {
    (void)state;
    assert_string_equal(points(amount_of("1.005")), "1.01");
    assert_string_equal(points(amount_of("2.675")), "2.68");
    assert_string_equal(points(amount_of("2.674999")), "2.67");
    assert_string_equal(points(times_share(amount_of("4"), 0.75906)), "3.04");
    /* 9 of 10, of 1.15 points: 1.035; less half of it: 0.5175 */
    amount ten = amount_of("10"), nine = amount_of("9"), total = amount_of("1.15");
    assert_string_equal(points(scaled(nine, total, ten, 0)), "1.04");
    assert_string_equal(points(scaled(nine, total, ten, 50 * POINT)), "0.52");
    assert_string_equal(points(scaled(nine, total, ten, 100 * POINT)), "0");
    amount most = amount_of("1000000");
    assert_string_equal(points(scaled(1000 * most, most, 1000 * most, 0)), "1000000");
}

static void patterns_are_those_of_the_shell(void **state) {
    (void)state;
    for (const char *const *bad =
             (const char *const[]){"", "opt0[5*", "opt(", "[!]x", "[9-0]", "[a-b-c]", "a/b", NULL};
         *bad; bad++)
        assert_string_not_equal(why_no_pattern(*bad), "");
    for (const char *const *good =
             (const char *const[]){"*", "opt0[1-5]*", "[!a]?", "[]a]", "a]", "[a-]", NULL};
         *good; good++)
        assert_string_equal(why_no_pattern(*good), "");
    assert_true(fits("opt0[!1-4]_*", "opt05_multiblock"));
    assert_false(fits("opt0[!1-5]_*", "opt05_multiblock"));
    assert_false(fits("opt0", "opt05_multiblock"));
}

static void names_that_are_near_are_told(void **state) {
    (void)state;
    static const char *const names[] = {"due", "late", "title", "date"};
    assert_int_equal(distance("kitten", "sitting"), 3);
    assert_int_equal(distance("", "abc"), 3);
    assert_string_equal(did_you_mean("duo", names, 4), "; did you mean due?");
    assert_string_equal(did_you_mean("mate", names, 4), "; did you mean late or date?");
    assert_string_equal(did_you_mean("colour", names, 4), "");
}

static void times_are_those_of_people_tsv(void **state) {
    (void)state;
    time_t seconds;
    assert_true(read_utc("2026-11-20T22:59:01Z", &seconds));
    assert_int_equal(seconds, 1795215541);
    assert_true(read_utc("2024-02-29T00:00:00Z", &seconds));
    assert_int_equal(seconds, 1709164800);
    assert_false(read_utc("2026-11-20 22:59:01", &seconds));
    assert_false(read_utc("2026-11-20T22:59:01Z, 2026-11-21T22:59:01Z", &seconds));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_decimals),
        cmocka_unit_test(half_a_hundredth_is_rounded_up),
        cmocka_unit_test(patterns_are_those_of_the_shell),
        cmocka_unit_test(names_that_are_near_are_told),
        cmocka_unit_test(times_are_those_of_people_tsv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
