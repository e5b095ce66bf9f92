/* Tests of common/judge/outputs.c. */
#include "unit.h"

#include <math.h>

#include "judge/outputs.h"

static size_t elements(struct shape window) { return window.rows * window.columns; }

/* One float for each element, right to 0.5. */
static double off(const void *expected, const void *got) {
    float right, output;
    memcpy(&right, expected, sizeof right);
    memcpy(&output, got, sizeof output);
    return fabs((double)output - right);
}

static bool close_to(const void *expected, const void *got, char *why, size_t why_size) {
    if (off(expected, got) <= 0.5)
        return true;
    snprintf(why, why_size, "off by %g", off(expected, got));
    return false;
}

static const struct problem one = {.output_bytes = 4, .expected_bytes = 24, .right = close_to};
static const struct problem many = {
    .outputs = elements, .output_bytes = 4, .expected_bytes = 4, .right = close_to, .error = off};
static const struct shape image = {2, 3}, array = {6, 1}, nothing = {0, 3};
static const float zeros[6];

static void sizes_follow_the_shape_where_outputs_do(void **state) {
    (void)state;
    assert_int_equal(outputs_bytes(&one, image), 4);
    assert_int_equal(outputs_expected_bytes(&one, image), 24);
    assert_int_equal(outputs_written_bytes(&one, image), 0);
    assert_int_equal(outputs_bytes(&many, image), 24);
    assert_int_equal(outputs_expected_bytes(&many, image), 24);
    assert_int_equal(outputs_written_bytes(&many, image), 24);
    assert_int_equal(outputs_bytes(&many, nothing), 0);
}

static void large_outputs_leave_room_for_fewer_calls(void **state) {
    (void)state;
    assert_int_equal(outputs_calls(&one, (struct shape){1 << 30, 1}, 1000), 1000);
    assert_int_equal(outputs_calls(&many, nothing, 1000), 1000);
    assert_int_equal(outputs_calls(&many, (struct shape){1 << 22, 1}, 1000), 64);
    assert_int_equal(outputs_calls(&many, (struct shape){1 << 22, 1}, 10), 10);
    assert_int_equal(outputs_calls(&many, (struct shape){(size_t)1 << 32, 1}, 10), 1);
}

static void the_first_wrong_one_is_told_with_its_place(void **state) {
    (void)state;
    const float got[6] = {[2] = 0.25, [4] = 2, [5] = -3};
    char why[100] = "";
    assert_int_equal(outputs_wrong(&many, image, zeros, got, why, sizeof why), 2);
    assert_string_equal(why, "output 4 (row 1, column 1): off by 2");
    assert_int_equal(outputs_wrong(&many, array, zeros, got, why, sizeof why), 2);
    assert_string_equal(why, "output 4: off by 2");
    assert_false(outputs_wrong(&many, (struct shape){4, 1}, zeros, got, why, sizeof why));
    assert_false(outputs_wrong(&many, nothing, NULL, NULL, why, sizeof why));
    char short_why[12];
    assert_int_equal(outputs_wrong(&many, image, zeros, got, short_why, sizeof short_why), 2);
    assert_string_equal(short_why, "output 4 (r");
}

static void the_error_is_the_largest(void **state) {
    (void)state;
    const float got[6] = {0.25, -2, 1}, broken[6] = {0, NAN, 1};
    assert_true(outputs_error(&many, image, zeros, got) == 2);
    assert_true(isnan(outputs_error(&many, image, zeros, broken)));
    assert_true(outputs_error(&one, image, zeros, got) == -1);
    assert_true(outputs_error(&many, nothing, NULL, NULL) == -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_the_shape_where_outputs_do),
        cmocka_unit_test(large_outputs_leave_room_for_fewer_calls),
        cmocka_unit_test(the_first_wrong_one_is_told_with_its_place),
        cmocka_unit_test(the_error_is_the_largest),
    };
    return cmocka_run_group_tests_name("outputs", tests, NULL, NULL);
}
