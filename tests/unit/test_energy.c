/* Tests of common/judge/timing/power.c and energy.c: what a log of the counter's renewals says, and
 * how many calls it takes. tests/cli/energy.bats has the rest, with a library that stands in for
 * NVML.
 */
#include "unit.h"

#include "judge/timing/energy.h"
#include "judge/timing/power.h"

static struct power_log power_log;

/* Renewed every 100 ms, 5 ms before somebody sees it. 200 W for two seconds, then 500. */
static void make_log(void) {
    power_log.count = 0;
    for (int i = 0; i <= 50; i++) {
        double at_s = 7 + i / 10.0, joules = i <= 20 ? 20 * i : 400 + 50 * (i - 20);
        power_log.renewal[power_log.count++] = (struct renewal){.at_s = at_s + 0.005,
                                                                .joules = joules,
                                                                .temperature_c = 40 + i,
                                                                .sm_mhz = i % 2 ? 1000 : 2000};
    }
}

static void power_is_of_the_stretch_alone(void **state) {
    (void)state;
    make_log();
    assert_float_equal(power_between(&power_log, 7, 9.01).watts, 200, 1e-3);
    assert_float_equal(power_between(&power_log, 9.5, 11.5).watts, 500, 1e-3);
    /* Where the ends lie between two renewals does not matter. */
    assert_float_equal(power_between(&power_log, 9.36, 10.77).watts, 500, 1e-3);
    struct power half = power_between(&power_log, 8, 10.01);
    assert_float_equal(half.watts, 350, 1e-3);
    assert_int_equal(half.temperature_c[0], 50);
    assert_int_equal(half.temperature_c[1], 70);
    assert_in_range(half.sm_mhz, 1500, 1550);
}

static void power_is_not_guessed(void **state) {
    (void)state;
    make_log();
    assert_true(power_between(&power_log, 100, 101).watts == 0);
    assert_true(power_between(&power_log, 7.1, 7.2).watts == 0);
    /* The last 50 renewals cover less than half of it. */
    assert_true(power_between(&power_log, 7, 20).watts == 0);
    power_log.count = 0;
    assert_true(power_between(&power_log, 7, 9).watts == 0);
}

/* A record whose calls took so long. */
static struct record of_calls(double call_s) {
    struct record record = {.iterations = 1000, .samples = 1, .samples_s = {1000 * call_s}};
    return record;
}

static size_t calls_for(double seconds, double call_s, const char *note) {
    struct options options = options_default();
    options.source.input = problem.inputs;
    options.shape = (struct shape){64, 64};
    options.energy_s = seconds;
    struct record record = of_calls(call_s);
    size_t calls = energy_calls(&options, &record);
    assert_non_null(strstr(record.notes, note));
    assert_int_equal(note[0] != '\0', calls == 0);
    return calls;
}

static void long_calls_are_few(void **state) {
    (void)state;
    size_t calls = calls_for(3, 1.28, "");
    assert_true(calls * 1.28 >= 4 && calls * 1.28 <= 6);
    assert_true(calls_for(0.3, 0.29, "") >= 2);
    assert_true(calls_for(3, 1e-3, "") >= 4000);
    calls_for(1, 1.28, "no energy: a call takes 1.28 s");
    /* Each call has an output of its own. */
    calls_for(60, 1e-12, "no energy: there is no memory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_of_the_stretch_alone),
        cmocka_unit_test(power_is_not_guessed),
        cmocka_unit_test(long_calls_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
