/* Tests of common/judge/verdict.c. */
#include "unit.h"

#include "judge/verdict.h"

/* The words stand in every record ever written: none may change. */
static void words_are_those_of_the_records(void **state) {
    static const char *const words[] = {
        [VERDICT_PASS] = "pass",
        [VERDICT_WRONG] = "wrong",
        [VERDICT_NONDETERMINISTIC] = "nondeterministic",
        [VERDICT_HAZARD] = "hazard",
        [VERDICT_NO_KERNEL] = "no-kernel",
        [VERDICT_BUILD_FAILED] = "build-failed",
        [VERDICT_NO_DEVICE_CODE] = "no-device-code",
        [VERDICT_LAUNCH_FAILED] = "launch-failed",
        [VERDICT_CRASHED] = "crashed",
        [VERDICT_TIMED_OUT] = "timed-out",
        [VERDICT_FLAGGED] = "flagged",
        [VERDICT_MISSING] = "missing",
        [VERDICT_NOT_STARTED] = "not-started",
        [VERDICT_HARNESS_ERROR] = "harness-error",
    };

    (void)state;
    assert_int_equal(COUNT(words), VERDICT_KINDS);
    assert_int_equal(VERDICT_PASS, 0); /* what a verdict is until something else is found */
    for (int kind = 0; kind < VERDICT_KINDS; kind++) {
        assert_string_equal(verdict_word(kind), words[kind]);
        assert_int_equal(verdict_of_word(words[kind]), kind);
    }
}

static void other_words_are_no_verdicts(void **state) {
    static const char *const words[] = {"", "Pass", "pass ", "passed", "PASS", "wron"};

    (void)state;
    for (size_t i = 0; i < COUNT(words); i++)
        assert_int_equal(verdict_of_word(words[i]), VERDICT_KINDS);
}

static void cuda_errors_have_a_verdict(void **state) {
    static const struct {
        int error;
        enum verdict_kind kind;
    } cases[] = {
        {1, VERDICT_LAUNCH_FAILED},   /* cudaErrorInvalidValue */
        {2, VERDICT_LAUNCH_FAILED},   /* cudaErrorMemoryAllocation */
        {9, VERDICT_LAUNCH_FAILED},   /* cudaErrorInvalidConfiguration */
        {701, VERDICT_LAUNCH_FAILED}, /* cudaErrorLaunchOutOfResources */
        {98, VERDICT_NO_DEVICE_CODE},
        {209, VERDICT_NO_DEVICE_CODE},
        {218, VERDICT_NO_DEVICE_CODE},
        {222, VERDICT_NO_DEVICE_CODE},
        {700, VERDICT_CRASHED},
        {710, VERDICT_CRASHED},
        {714, VERDICT_CRASHED},
        {715, VERDICT_CRASHED},
        {716, VERDICT_CRASHED},
        {717, VERDICT_CRASHED},
        {718, VERDICT_CRASHED},
        {719, VERDICT_CRASHED},
        {702, VERDICT_TIMED_OUT},
        /* what a hostile runner may send: never a pass, never the harness's fault */
        {0, VERDICT_LAUNCH_FAILED},
        {-1, VERDICT_LAUNCH_FAILED},
        {123456789, VERDICT_LAUNCH_FAILED},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (verdict_of_cuda_error(cases[i].error) != cases[i].kind)
            fail_msg("error %d: %s", cases[i].error,
                     verdict_word(verdict_of_cuda_error(cases[i].error)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_the_records),
        cmocka_unit_test(other_words_are_no_verdicts),
        cmocka_unit_test(cuda_errors_have_a_verdict),
    };

    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
