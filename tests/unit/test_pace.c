/* Tests of common/judge/pace.c: how long what comes next will take. */
#include "unit.h"

#include "judge/pace.h"

static void what_came_before_tells(void **state) {
    struct pace pace = {0, 0};
    (void)state;
    assert_true(pace_expect(&pace, true, 1e6) == 0);
    pace_note(&pace, true, 1e5, 2);
    assert_float_equal(pace_expect(&pace, true, 1e6), 20, 1e-9);
    assert_float_equal(pace_expect(&pace, false, 1e6), 2.5, 1e-9);
    pace_note(&pace, false, 1e5, 1);
    assert_float_equal(pace_expect(&pace, false, 1e6), 10, 1e-9);
    assert_float_equal(pace_expect(&pace, true, 1e6), 20, 1e-9);
}

static void few_elements_tell_nothing(void **state) {
    struct pace pace = {0, 0};
    (void)state;
    pace_note(&pace, true, 222, 0.2);
    assert_true(pace_expect(&pace, true, 1e6) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_came_before_tells),
        cmocka_unit_test(few_elements_tell_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
